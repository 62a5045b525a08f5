import { useMemo } from "preact/hooks";
import { type Dot, type DotState, sky, skyOf } from "./sky-layout.ts";
import { type RegionTally, regionName } from "./verdict.ts";

const [cx, cy] = [sky.width / 2, sky.height / 2];

/** The fleet as a picture: a ring for each region, a dot for each node, and off their ring those that need a look. */
export function FleetSky({ regions, healthy }: { regions: readonly RegionTally[]; healthy: number | null }) {
  const { rings, nodesPerDot } = useMemo(() => skyOf(regions), [regions]);
  const well = healthy === null ? null : wellText(healthy);
  return (
    <figure class="sky">
      <svg class="orrery" viewBox={`0 0 ${sky.width} ${sky.height}`} role="img" aria-label={labelOf(regions, well)}>
        <circle class="halo" cx={cx} cy={cy} r={38} />
        <text class="pct" x={cx} y={cy + 2} text-anchor="middle">
          {well ?? "–"}
        </text>
        <text class="in" x={cx} y={cy + 20} text-anchor="middle">
          well
        </text>
        {rings.map((ring) => (
          <g key={ring.region}>
            <circle class="rg far" cx={cx} cy={cy} r={ring.radius} />
            {(["ok", "warn", "crit"] as const).map((state) => (
              <path key={state} class={`nd ${state}`} d={pathOf(ring.dots, state)} />
            ))}
            <text x={cx} y={cy + ring.radius + 4} text-anchor="middle">
              {regionName(ring.region)}
            </text>
          </g>
        ))}
      </svg>
      <figcaption aria-hidden="true">
        <span>
          <b>Ring</b>region
        </span>
        <span>
          <b>Dot</b>
          {nodesPerDot === 1 ? "node" : `${nodesPerDot.toLocaleString("en")} nodes`}
        </span>
        <span>
          <b>Off ring</b>needs a look
        </span>
      </figcaption>
    </figure>
  );
}

/** Never 100% as long as one node is not well. */
export function wellText(percent: number): string {
  if (percent >= 100) return "100%";
  return `${Math.min(99.9, Math.round(percent * 10) / 10).toLocaleString("en")}%`;
}

function labelOf(regions: readonly RegionTally[], well: string | null): string {
  const parts = regions.map(
    ({ region, online, degraded, offline }) =>
      `${regionName(region)}: ${online} online, ${degraded} degraded, ${offline} offline`,
  );
  return `${well ?? "An unknown share"} of the fleet is well. ${parts.join(". ")}`;
}

/** All dots of one state in one path: thousands of elements would slow every page that shows them. */
function pathOf(dots: readonly Dot[], wanted: DotState): string {
  const shape = { ok: round, warn: triangle, crit: square }[wanted];
  return dots
    .filter(({ state }) => state === wanted)
    .map(shape)
    .join("");
}

const round = ({ x, y }: Dot): string => `M${x - 2.3} ${y}a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0Z`;
const triangle = ({ x, y }: Dot): string => `M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z`;
const square = ({ x, y }: Dot): string => `M${x - 4} ${y - 4}h8v8h-8Z`;

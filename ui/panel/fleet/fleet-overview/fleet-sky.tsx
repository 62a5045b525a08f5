import { useMemo } from "preact/hooks";
import { useResource } from "../../client/resource.ts";
import { nodePath } from "../fleet/node-row.tsx";
import { type Dot, type DotState, type SkyRing, sky, skyOf } from "./sky-layout.ts";
import { listOf, type NamedDot, nameDots } from "./sky-nodes.ts";
import { type RegionTally, regionName } from "./verdict.ts";

const [cx, cy] = [sky.width / 2, sky.height / 2];
const states = ["ok", "warn", "crit"] as const;
const words: Record<DotState, string> = { ok: "online", warn: "degraded", crit: "offline" };
/** With more nodes a dot leads to the list of its ring and state: thousands of links would slow every page that shows them. */
const mostNamed = 200;
const everyMs = 20_000;

/** The fleet as a picture: a ring for each region, a dot for each node, and off their ring those that need a look. Each is a link. */
export function FleetSky({ regions, healthy }: { regions: readonly RegionTally[]; healthy: number | null }) {
  const { rings, nodesPerDot } = useMemo(() => skyOf(regions), [regions]);
  const well = healthy === null ? null : wellText(healthy);
  const count = regions.reduce((sum, { total }) => sum + total, 0);
  const Dots = nodesPerDot === 1 && count <= mostNamed ? NodeDots : ListDots;
  return (
    <figure class="sky">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be inside a picture. */}
      <svg class="orrery" viewBox={`0 0 ${sky.width} ${sky.height}`} role="group" aria-label={labelOf(regions, well)}>
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
            <text x={cx} y={cy + ring.radius + 4} text-anchor="middle">
              {regionName(ring.region)}
            </text>
          </g>
        ))}
        <Dots rings={rings} regions={regions} />
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

interface DotsProps {
  rings: readonly SkyRing[];
  regions: readonly RegionTally[];
}

/** All dots of a ring and state, as one link to the list of those nodes. */
function ListDots({ rings, regions }: DotsProps) {
  return (
    <>
      {rings.flatMap((ring) =>
        states.map((state) => {
          const path = pathOf(ring.dots, state);
          if (path === "") return null;
          const isOneRegion = regions.some(({ region }) => region === ring.region);
          return (
            // The list of regions beside the picture has a tab stop for each.
            <a
              key={`${ring.region} ${state}`}
              href={listOf(ring.region, state, isOneRegion)}
              tabIndex={-1}
              aria-label={`${regionName(ring.region)}, ${words[state]}`}
            >
              <path class={`nd ${state}`} d={path} />
            </a>
          );
        }),
      )}
    </>
  );
}

/** Each dot as a link to its node; until it is known which node that is, to the list. */
function NodeDots({ rings, regions }: DotsProps) {
  const heatmap = useResource("GET /api/fleet/heatmap", { query: { metric: "cpu" }, everyMs }).data.value;
  if (heatmap === null || !("rows" in heatmap)) return <ListDots rings={rings} regions={regions} />;
  const known = new Set(heatmap.rows.map(({ region }) => region));
  return (
    <>
      <ListDots rings={rings.filter(({ region }) => !known.has(region))} regions={regions} />
      {rings
        .flatMap((ring) => nameDots(ring, heatmap.rows))
        .map((dot) => (
          <NodeDot key={dot.id} dot={dot} />
        ))}
    </>
  );
}

function NodeDot({ dot }: { dot: NamedDot }) {
  const { x, y, id, host, state } = dot;
  return (
    // The fleet's list has a tab stop for each node.
    <a href={nodePath(id)} tabIndex={-1} aria-label={`${host}, ${words[state]}`}>
      <circle class="hit" cx={x} cy={y} r={8} />
      <path class={`nd ${state}`} d={shapes[state](dot)} />
      <text class="nm late" x={x} y={y - 10} text-anchor="middle">
        {host}
      </text>
    </a>
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
  return dots
    .filter(({ state }) => state === wanted)
    .map(shapes[wanted])
    .join("");
}

type Point = Pick<Dot, "x" | "y">;
const round = ({ x, y }: Point): string => `M${x - 2.3} ${y}a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0Z`;
const triangle = ({ x, y }: Point): string => `M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z`;
const square = ({ x, y }: Point): string => `M${x - 4} ${y - 4}h8v8h-8Z`;
const shapes: Record<DotState, (point: Point) => string> = { ok: round, warn: triangle, crit: square };

import type { Overview, TopNode } from "../../../../src/panel/fleet/fleet-overview/contract.ts";
import { percent } from "../../../client/format.ts";
import { Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { statusLook } from "../fleet/health.ts";
import { type RegionTally, regionName } from "./verdict.ts";

const mostRegions = 8;

/** Each region with its nodes by state; how far the newest version has come. */
export function RegionsCard({
  regions,
  newest,
}: {
  regions: readonly RegionTally[];
  newest: Overview["newest_version"];
}) {
  const sorted = regions.toSorted((a, b) => b.total - a.total);
  const largest = sorted[0]?.total ?? 1;
  return (
    <Card
      w={4}
      title="Regions"
      aside={sorted.length > mostRegions ? `${mostRegions} of ${sorted.length}` : undefined}
      actions={
        <a class="btn ghost sm" href="/heatmap">
          Heatmap
        </a>
      }
      foot={
        newest.version === null ? undefined : (
          <>
            <span>Version {newest.version}</span>
            <a class="push c3" href={`/fleet?version=${encodeURIComponent(newest.version)}`}>
              {newest.count.toLocaleString("en")} of {newest.total.toLocaleString("en")} nodes
            </a>
          </>
        )
      }
    >
      <ul class="regions">
        {sorted.slice(0, mostRegions).map((region) => (
          <li key={region.region}>
            <a class="w5 cut" href={`/fleet?region=${encodeURIComponent(region.region)}`}>
              {regionName(region.region)}
            </a>
            <Parts region={region} share={region.total / largest} />
            <span class="num c2">{region.total.toLocaleString("en")}</span>
            <span class="tr">
              {region.degraded > 0 && (
                <span>
                  <Glyph state="warn" />
                  <span class="sr">degraded: </span>
                  {region.degraded.toLocaleString("en")}
                </span>
              )}
              {region.offline > 0 && (
                <span>
                  <Glyph state="crit" />
                  <span class="sr">offline: </span>
                  {region.offline.toLocaleString("en")}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The bar of a region: as long as it is large, divided by state. Few nodes in trouble are still seen. */
function Parts({ region, share }: { region: RegionTally; share: number }) {
  const parts = [
    ["ok", region.online],
    ["warn", region.degraded],
    ["crit", region.offline],
  ] as const;
  return (
    <span class="regionbar" aria-hidden="true" style={{ "--v": `${Math.max(2, share * 100)}%` }}>
      {parts.map(([state, count]) => count > 0 && <i key={state} class={state} style={{ "--n": String(count) }} />)}
    </span>
  );
}

/** Means over the nodes that are there. */
export function ResourcesCard({ resources }: { resources: Overview["resources"] }) {
  const rows = [
    ["Processor", resources.avg_cpu],
    ["Memory", resources.avg_mem],
    ["Disk", resources.avg_disk],
  ] as const;
  return (
    <Card title="Resources" aside={`mean of ${resources.nodes.toLocaleString("en")} nodes`}>
      <ul class="meters">
        {rows.map(([title, value]) => (
          <li key={title}>
            <span>{title}</span>
            <Meter value={value} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The busiest nodes. */
export function TopCard({ nodes }: { nodes: readonly TopNode[] }) {
  return (
    <Card
      title="Busiest nodes"
      actions={
        <a class="btn ghost sm" href="/fleet?sort=-cpu">
          All by processor
        </a>
      }
    >
      {nodes.length === 0 ? (
        <p class="card-b t13 c3">No node has reported its processor yet.</p>
      ) : (
        <ul class="meters">
          {nodes.map((node) => (
            <li key={node.id}>
              <a class="row" href={`/nodes/${encodeURIComponent(node.id)}`}>
                <Glyph state={statusLook(node.status).state} />
                <span class="sr">{statusLook(node.status).word} </span>
                <span class="cut">{node.hostname}</span>
              </a>
              <Meter value={node.cpu_percent} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Meter({ value }: { value: number | null }) {
  return (
    <>
      <span
        class={`bar ${value !== null && value >= 90 ? "warn" : ""}`}
        aria-hidden="true"
        style={{ "--v": `${value ?? 0}%` }}
      >
        <i />
      </span>
      <b class="num w5">{value === null ? "–" : percent(value)}</b>
    </>
  );
}

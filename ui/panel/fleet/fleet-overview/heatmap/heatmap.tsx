import type { HeatMetric } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { query, setQuery } from "../../../../client/router.ts";
import { Segmented } from "../../../../kit/choice.tsx";
import { Loaded } from "../../../../parts/loaded.tsx";
import { useResource } from "../../../client/resource.ts";
import { NoNodes } from "../../fleet/no-nodes.tsx";
import { HeatKey } from "./heat-key.tsx";
import { HeatPicture } from "./heat-picture.tsx";
import { HeatTable } from "./heat-table.tsx";

const metrics: { value: HeatMetric; label: string; sort: string }[] = [
  { value: "cpu", label: "Processor", sort: "-cpu" },
  { value: "mem", label: "Memory", sort: "-mem" },
  { value: "disk", label: "Disk", sort: "-disk" },
];

/** All nodes at once: where it is hot, where somebody is missing. */
export function HeatmapScreen() {
  const asked = query.value.get("metric");
  const metric = metrics.find(({ value }) => value === asked) ?? metrics[0];
  const value = metric?.value ?? "cpu";
  const heatmap = useResource("GET /api/fleet/heatmap", { query: { metric: value }, everyMs: 20_000 });
  const answer = heatmap.data.value;
  // The route has an older shape too, without rows, for those who name no metric.
  const total = answer && "rows" in answer ? answer.total : 0;
  const label = metric?.label ?? "Processor";
  return (
    <div class="page heatpage">
      <header class="head">
        <h1>Heatmap</h1>
        <span class="t13 c3">{total === 0 ? "" : countText(total)}</span>
        {total > 0 && (
          <span class="btns">
            <Segmented
              label="Figure"
              value={value}
              options={metrics}
              onValue={(next) => setQuery({ metric: next === "cpu" ? null : next })}
            />
          </span>
        )}
      </header>
      <Loaded of={heatmap} what="The heatmap">
        {(data) =>
          !("rows" in data) || data.total === 0 ? (
            <NoNodes>Every server becomes a cell here, as bright as it is busy.</NoNodes>
          ) : (
            <>
              <HeatKey />
              <HeatPicture rows={data.rows} label={label} />
              <HeatTable rows={data.rows} label={label} sort={metric?.sort ?? "-cpu"} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function countText(total: number): string {
  return `${total.toLocaleString("en")} ${total === 1 ? "node" : "nodes"}`;
}

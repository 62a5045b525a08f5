import type { Overview, OverviewRange } from "../../../../src/panel/fleet/fleet-overview/contract.ts";
import { percent } from "../../../client/format.ts";
import type { Resource } from "../../../client/resource.ts";
import { Card } from "../../../kit/card.tsx";
import { TimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { RangeChoice } from "../fleet/range-choice.tsx";
import { linesOf } from "../fleet/series.ts";

/** How far back the chart can look. */
export const ranges = ["1h", "6h", "24h", "7d"] as const satisfies readonly OverviewRange[];

/** The processor over all nodes: what half of them do not exceed, and what 95 of 100 do not. */
export function CpuCard({ of, range }: { of: Resource<Overview>; range: OverviewRange }) {
  return (
    <Card
      w={8}
      class="cpucard"
      title="Processor across the fleet"
      actions={<RangeChoice value={range} ranges={ranges} />}
    >
      <div class="card-b">
        <Loaded of={of} what="The chart" skeleton={<div class="chartroom" />}>
          {({ cpu }) => (cpu.points.length < 2 ? <NotYet /> : <Band cpu={cpu} />)}
        </Loaded>
      </div>
    </Card>
  );
}

function Band({ cpu }: { cpu: Overview["cpu"] }) {
  const list = (figure: "p50" | "p95"): [number, number][] =>
    cpu.points.map((point) => [Date.parse(point.t), point[figure]]);
  const { times, values } = linesOf([list("p95"), list("p50")], cpu.bucket_seconds * 1000);
  return (
    <TimeChart
      label="Processor across the fleet"
      times={times}
      height={168}
      max={100}
      format={percent}
      series={[
        { label: "95 of 100 nodes are below (p95)", values: values[0] ?? [], dash: true, colour: "--c1" },
        { label: "Half are below (p50)", values: values[1] ?? [], colour: "--c1" },
      ]}
    />
  );
}

function NotYet() {
  return (
    <div class="chartroom empty">
      <p>The chart begins with the second point of this range. Nodes report every few seconds.</p>
    </div>
  );
}

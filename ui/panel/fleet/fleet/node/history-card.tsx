import type { History, HistoryRange } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { bitrate, percent, text } from "../../../../client/format.ts";
import { query } from "../../../../client/router.ts";
import { Card } from "../../../../kit/card.tsx";
import { TimeChart } from "../../../../kit/time-chart.tsx";
import { Loaded } from "../../../../parts/loaded.tsx";
import { useResource } from "../../../client/resource.ts";
import { RangeChoice, rangeOf } from "../range-choice.tsx";
import { linesOf } from "../series.ts";

const ranges = ["1h", "6h", "24h", "7d", "30d", "3mo"] as const satisfies readonly HistoryRange[];
const resolutions: Record<History["resolution"], string> = {
  raw: "every report",
  hour: "a point for each hour",
  day: "a point for each day",
};
/** The usual distance of two points; reports come when the panel asks for them, so theirs is taken from the data. */
const stepsMs: Record<History["resolution"], number | undefined> = { raw: undefined, hour: 3_600_000, day: 86_400_000 };

/** Why there is no line. */
const noLine: Record<History["resolution"], string> = {
  raw: "Nothing was reported in this range yet.",
  hour: "There is a point for each hour here, and fewer than two of them yet. A shorter range shows every report.",
  day: "There is a point for each day here, and fewer than two of them yet. A shorter range shows more.",
};

const traffic = (bytes: number): string => text(bitrate(bytes));

/** The figures over a range, up to three months back, on one time axis. */
export function HistoryCard({ id }: { id: string }) {
  const range = rangeOf(query.value.get("range"), ranges, "24h");
  const history = useResource("GET /api/fleet/instances/{id}/metrics/history", {
    path: { id },
    query: { range },
    everyMs: 60_000,
  });
  return (
    <Card
      w={12}
      class="historycard"
      title="History"
      aside={history.data.value === null ? undefined : resolutions[history.data.value.resolution]}
      actions={<RangeChoice value={range} ranges={ranges} />}
    >
      <div class="card-b historygrid">
        <Loaded of={history} what="The history" skeleton={<div class="chartroom" />}>
          {(data) => <Charts data={data} />}
        </Loaded>
      </div>
    </Card>
  );
}

function Charts({ data }: { data: History }) {
  const step = stepsMs[data.resolution];
  const known = [data.cpu, data.mem, data.disk, data.net].some((series) => (series?.length ?? 0) > 1);
  if (!known) return <p class="t13 c3 chartroom empty">{noLine[data.resolution]}</p>;
  return (
    <>
      <Lane title="Processor" lists={[data.cpu]} step={step} colours={["--c1"]} labels={["Processor"]} />
      <Lane title="Memory" lists={[data.mem]} step={step} colours={["--c3"]} labels={["Memory"]} />
      <Lane title="Disk" lists={[data.disk]} step={step} colours={["--c2"]} labels={["Disk"]} />
      <Lane
        title="Network"
        lists={[data.net, data.net_out]}
        step={step}
        colours={["--c4", "--c5"]}
        labels={["In", "Out"]}
        isTraffic
      />
    </>
  );
}

interface LaneProps {
  title: string;
  lists: (History["cpu"] | undefined)[];
  step: number | undefined;
  labels: string[];
  colours: string[];
  isTraffic?: boolean;
}

function Lane({ title, lists, step, labels, colours, isTraffic = false }: LaneProps) {
  const { times, values } = linesOf(
    lists.map((list) => (list ?? []).map(([time, value]) => [Date.parse(time), value] as const)),
    step,
  );
  return (
    <section aria-label={title}>
      <h3 class="w5 t13">{title}</h3>
      <TimeChart
        label={`${title} over the range`}
        times={times}
        series={values.map((list, index) => ({
          label: labels[index] ?? title,
          values: list,
          colour: colours[index] ?? "--c1",
          dash: index > 0,
        }))}
        format={isTraffic ? traffic : percent}
        height={110}
        sync="history"
        legend={lists.length > 1}
        {...(isTraffic ? { least: 12_500 } : { max: 100 })}
      />
    </section>
  );
}

import { useEffect } from "preact/hooks";
import { bitrate, bytesText, percent, text } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import type { TimeSeries } from "../../../kit/time-axis.ts";
import { crosshair, prefetchTimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { alertStart } from "./alert-on.ts";
import { appLines, busiestApp, most } from "./app-lines.ts";
import { dayBefore, hasDayBefore, lacksDayBefore } from "./day-before.ts";
import { EventsLane, useEvents } from "./events.tsx";
import { FirstPoint } from "./first-point.tsx";
import { Lane, sheet } from "./lane.tsx";
import { Learning } from "./learning.tsx";
import { RangeBar, reset } from "./range-bar.tsx";
import { ThreadsLane } from "./threads.tsx";
import {
  coarser,
  eventsWithin,
  firstDayRange,
  loadQuery,
  type Points,
  placesOf,
  readView,
  stepOf,
  type View,
  zoomQuery,
} from "./view.ts";

prefetchTimeChart();

const speed = (bytesPerSecond: number): string => `${bytesText(bytesPerSecond)}/s`;
const traffic = (bytesPerSecond: number): string => text(bitrate(bytesPerSecond));
const memory = (bytes: number): string => bytesText(bytes, "memory");

type Metric = "cpu" | "ram" | "disk" | "network";

/** The points of one metric, again every minute; a minute that just ended needs a moment to be written. */
function usePoints(metric: Metric, span: ReturnType<typeof loadQuery>) {
  return useResource("GET /api/system/metrics", { query: { metric, ...span }, everyMs: 30_000 });
}

/** Whether the address asks for the day before beside what is shown. */
const comparesDays = (view: View): boolean => query.value.get("compare") === "day" && hasDayBefore(view);

/** Hours of the last week of one metric while they are compared with; null else, and nothing more is loaded. */
function useHours(metric: Metric, view: View): Points | null {
  const isWanted = comparesDays(view);
  const { data } = usePoints(metric, isWanted ? { range: "7d" } : loadQuery(view));
  return isWanted ? data.value : null;
}

const dayHours = 24;

/** What the address asks for; on the first day of a server, where it asks for nothing, the range that has data. */
function useView(baseline: { learned_hours: number } | null): View {
  const now = Date.now();
  const asked = readView(query.value, now);
  const asksForAll = asked.zoom === null && !query.value.has("range");
  const { data } = usePoints("cpu", loadQuery(asked));
  if (!asksForAll || data.value === null || baseline === null || baseline.learned_hours >= dayHours) return asked;
  return readView(query.value, now, firstDayRange(data.value, now));
}

/** Processor, memory, disks, network and apps on one sheet with one time axis. */
export function Metrics() {
  const baseline = useResource("GET /api/alerting/baselines", { query: { metric: "cpu_percent" }, everyMs: 120_000 });
  const view = useView(baseline.data.value);
  const span = loadQuery(view);
  const [cpu, ram, disk, network] = [
    usePoints("cpu", span),
    usePoints("ram", span),
    usePoints("disk", span),
    usePoints("network", span),
  ];
  useEffect(() => leave, []);
  return (
    <div class="page">
      <header class="head">
        <h1>Metrics</h1>
      </header>
      <RangeBar view={view} compare={hasDayBefore(view) ? { isOn: comparesDays(view) } : null} />
      <Learning baseline={baseline.data.value} />
      <Loaded of={cpu} what="Metrics">
        {(points) =>
          points.some(({ value }) => value !== null) || view.zoom !== null ? (
            <Sheet
              view={view}
              points={{ cpu: points, ram: ram.data.value, disk: disk.data.value, network: network.data.value }}
            />
          ) : (
            <FirstPoint refresh={cpu.refresh} />
          )
        }
      </Loaded>
    </div>
  );
}

/** The next visit begins without a crosshair. */
function leave(): void {
  crosshair(sheet).value = null;
}

interface SheetProps {
  view: View;
  points: Record<Metric, Points | null>;
}

function Sheet({ view, points }: SheetProps) {
  const overview = useResource("GET /api/system/overview", { everyMs: 60_000 });
  const times = (points.cpu ?? []).map(({ ts }) => Date.parse(ts));
  const places = placesOf(times, view.zoom);
  const step = stepOf(view);
  const drawn = (list: Points): Points => coarser(list.slice(...places), step);
  const shown = drawn(points.cpu ?? []).map(({ ts }) => Date.parse(ts));
  const hours = {
    cpu: useHours("cpu", view),
    ram: useHours("ram", view),
    disk: useHours("disk", view),
    network: useHours("network", view),
  };
  /** The same figure a day earlier; nothing where that is not asked for. */
  const earlier = (list: Points | null, label: string, figure: string): TimeSeries[] =>
    list === null ? [] : [{ label, values: dayBefore(list, figure, shown), dash: true, colour: "--text3" }];
  const events = useEvents({ from: shown[0] ?? Date.now(), to: view.zoom?.to ?? Date.now() });
  const markers = (events.data.value?.items ?? []).filter(({ severity }) => severity !== "info");
  const lane = {
    markers: eventsWithin(markers, shown).map(({ timestamp, title }) => ({
      // What happened since the last point began is drawn at the right edge, where that point is.
      t: Math.min(Date.parse(timestamp), shown.at(-1) ?? 0),
      label: title,
    })),
    onZoom: (from: number, to: number) => setQuery(zoomQuery(from, to, view, Date.now()), { isStep: true }),
    onReset: reset,
  };
  const line = (list: Points, label: string, figure: string, more: Partial<TimeSeries> = {}): TimeSeries => ({
    label,
    values: list.map((point) => (typeof point[figure] === "number" ? point[figure] : null)),
    ...more,
  });
  const ofMetric = (list: Points | null, make: (list: Points) => TimeSeries[]) => ({
    times: list === null ? null : shown,
    series: list === null ? [] : make(drawn(list)).filter(({ values }) => values.some((value) => value !== null)),
  });
  const valuesOf = (list: Points | null, figure: string) => (list === null ? [] : line(drawn(list), "", figure).values);
  const isCoarse = step > 60_000;
  const total = overview.data.value?.ram_total_bytes ?? 0;
  const lanes = (
    <div class="card score">
      <EventsLane of={events} times={shown} />
      <Lane
        {...lane}
        {...ofMetric(points.cpu, (list) => [
          line(list, "All threads", "value"),
          // Within a minute the peak is so close to the mean that its line would cover it.
          ...(isCoarse ? [line(list, "Peak", "max", { dash: true })] : []),
          ...earlier(hours.cpu, "Day before", "value"),
        ])}
        title="Processor"
        format={percent}
        max={100}
        alert={alertStart([{ metric: "cpu_percent", values: valuesOf(points.cpu, "value") }], { isShare: true })}
      />
      <ThreadsLane view={view} shown={shown} onZoom={lane.onZoom} onReset={reset} />
      <Lane
        {...lane}
        {...ofMetric(points.ram, (list) => [
          line(list, "In use", "used_bytes", { colour: "--c3" }),
          line(list, "Swap", "swap_used_bytes", { dash: true, colour: "--c4" }),
          ...earlier(hours.ram, "Day before, in use", "used_bytes"),
        ])}
        title="Memory"
        format={memory}
        max={total > 0 ? total : undefined}
        alert={alertStart([{ metric: "mem_percent", values: valuesOf(points.ram, "value") }], { isShare: true })}
      />
      <Lane
        {...lane}
        {...ofMetric(points.disk, (list) => [
          line(list, "Read", "read_bytes_per_sec"),
          line(list, "Write", "write_bytes_per_sec", { dash: true }),
          ...earlier(hours.disk, "Day before, read", "read_bytes_per_sec"),
        ])}
        title="Disks"
        format={speed}
        least={100_000}
        alert={alertStart([
          { metric: "disk_read_bps", values: valuesOf(points.disk, "read_bytes_per_sec") },
          { metric: "disk_write_bps", values: valuesOf(points.disk, "write_bytes_per_sec") },
        ])}
      />
      <Lane
        {...lane}
        {...ofMetric(points.network, (list) => [
          line(list, "In", "rx_bytes_per_sec"),
          line(list, "Out", "tx_bytes_per_sec", { dash: true }),
          ...earlier(hours.network, "Day before, in", "rx_bytes_per_sec"),
        ])}
        title="Network"
        format={traffic}
        least={12_500}
        alert={alertStart([
          { metric: "net_rx_bps", values: valuesOf(points.network, "rx_bytes_per_sec") },
          { metric: "net_tx_bps", values: valuesOf(points.network, "tx_bytes_per_sec") },
        ])}
      />
      <AppLanes view={view} shown={shown} lane={lane} />
    </div>
  );
  return (
    <>
      {hours.cpu !== null && lacksDayBefore(hours.cpu, "value", shown) && (
        <p class="t13 c3" role="status">
          Nothing was measured a day before this time, so there is no line to compare with yet.
        </p>
      )}
      {lanes}
    </>
  );
}

/** The busiest apps, each with a line of its own; they come in points of their own width. */
function AppLanes({
  view,
  shown,
  lane,
}: {
  view: View;
  shown: number[];
  lane: Pick<Parameters<typeof Lane>[0], "markers" | "onZoom" | "onReset">;
}) {
  const metrics = useResource("GET /api/system/apps/metrics", { query: loadQuery(view), everyMs: 60_000 });
  const apps = useResource("GET /api/apps");
  const data = metrics.data.value;
  if (data !== null && data.apps.length === 0) return null;
  const all = data?.ts.map((ts) => Date.parse(ts)) ?? [];
  const [first, last] = [shown[0], shown.at(-1)];
  const places = placesOf(all, first === undefined || last === undefined ? null : { from: first, to: last });
  const nameOf = ({ app_id, name }: { app_id: string; name: string }): string =>
    apps.data.value?.find(({ id }) => id === app_id)?.display_name ?? name;
  const times = data === null ? null : all.slice(...places);
  const alertOf = (metric: string, figure: "cpu_percent" | "memory_bytes") => {
    const app = busiestApp(data?.apps ?? [], figure, places);
    return app === null ? null : alertStart([{ metric, values: app.values }], { entity: `app:${app.app_id}` });
  };
  const linesOf = (figure: "cpu_percent" | "memory_bytes") => appLines(data?.apps ?? [], figure, nameOf, places);
  return (
    <>
      <Lane
        {...lane}
        title="Apps, processor"
        times={times}
        series={linesOf("cpu_percent")}
        format={percent}
        least={5}
        alert={alertOf("cpu_percent", "cpu_percent")}
      >
        <p class="t12 c3">{(data?.apps.length ?? 0) > most ? `The ${most} busiest; ` : ""}100% is one core</p>
      </Lane>
      <Lane
        {...lane}
        title="Apps, memory"
        times={times}
        series={linesOf("memory_bytes")}
        format={memory}
        binary
        alert={alertOf("mem_bytes", "memory_bytes")}
      />
    </>
  );
}

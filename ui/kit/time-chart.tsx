import { type Signal, signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { axisMax } from "./draw.ts";
import type { TimePlot } from "./plot-engine.ts";
import { DataTable } from "./table.tsx";
import {
  axisLabels,
  fullLabel,
  isDashed,
  nearestPlace,
  seriesColour,
  type TimeSeries,
  tableRows,
  valueAt,
} from "./time-axis.ts";

export interface TimeChartProps {
  /** What the chart shows, for people who do not see it. */
  label: string;
  series: TimeSeries[];
  /** Starts of the buckets, epoch ms, ascending; one for each value. */
  times: number[];
  /** Writes a value with its unit. */
  format: (value: number) => string;
  /** Events in time: a dashed line, and a word in the table. */
  markers?: { t: number; label: string }[];
  /** Charts with the same name share one crosshair. */
  sync?: string;
  height?: number;
  /** Top of the value axis; from the data when left out. */
  max?: number;
  /** True for memory, which is counted in powers of two: so are the marks of its axis. */
  binary?: boolean;
  /** The axis goes at least so far, so that noise does not look like a mountain. */
  least?: number;
  /** A value worth a dashed line. */
  limit?: { value: number; label: string };
  /** Called with a range drawn with the pointer, or by the keys + and -. */
  onZoom?: (fromMs: number, toMs: number) => void;
  /** Escape, when nothing is pointed at. */
  onReset?: () => void;
  /** False where the screen shows the values at the crosshair itself. */
  legend?: boolean;
  /** False where the screen has one table for several charts. */
  table?: boolean;
}

/** How often a drawing part that did not come is asked for again. */
const retryMs = 5000;

const crosshairs = new Map<string, Signal<number | null>>();

/** Time that is pointed at in the charts called `sync`; null when none is. */
export function crosshair(sync: string): Signal<number | null> {
  const known = crosshairs.get(sync) ?? signal<number | null>(null);
  crosshairs.set(sync, known);
  return known;
}

/** Loads the drawing part ahead of the first chart. */
export function prefetchTimeChart(): void {
  void import("./plot-engine.ts").catch(() => {});
}

/** Lines over time: one crosshair for all charts of a page, drag or + and - to zoom, gaps stay gaps, the same as a table. */
export function TimeChart(props: TimeChartProps) {
  const { label, series, times, format, height = 132, least = 1, binary = false, legend = true, table = true } = props;
  const own = useSignal<number | null>(null);
  const at = props.sync === undefined ? own : crosshair(props.sync);
  const before = useRef(0);
  const largest = Math.max(0, ...series.map(({ values }) => highest(values)));
  before.current = props.max ?? axisMax(largest, before.current, least, binary);
  const max = before.current;
  const failed = useSignal(false);
  const host = usePlot(props, at, max, height, failed);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const place = useComputed(() => (at.value === null ? times.length - 1 : nearestPlace(times, at.value)));
  const spoken = useComputed(() => {
    const index = place.value;
    const pointed = at.value === null ? null : index;
    const values = series.map((one) => `${one.label} ${valueText(valueAt(one.values, pointed), format)}`);
    return index < 0 ? "no data" : `${fullLabel(times[index] ?? 0, span)}: ${values.join(", ")}`;
  });
  return (
    <div class="tchart">
      <div class="chart" style={{ "--ch": `${height}px` }}>
        <div class="ys" aria-hidden="true">
          <span>{format(max)}</span>
          <span>{format(max / 2)}</span>
          <span>{format(0)}</span>
        </div>
        <div
          class="plot"
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, times.length - 1)}
          aria-valuenow={Math.max(0, place.value)}
          aria-valuetext={spoken.value}
          onKeyDown={(event) => handleChartKey(event, props, at)}
          onBlur={() => (at.value = null)}
        >
          <div class="tplot" ref={host} />
          {props.limit !== undefined && props.limit.value <= max && (
            <span class="tlimit" style={{ "--y": `${(1 - props.limit.value / max) * 100}%` }} aria-hidden="true">
              {props.limit.label}
            </span>
          )}
        </div>
        <div class="xs" aria-hidden="true">
          {axisLabels(times, 5).map((text, index) => (
            <span key={index}>{text}</span>
          ))}
        </div>
      </div>
      {legend && <TimeLegend series={series} times={times} format={format} at={at} />}
      {failed.value && <p class="t12 c3">The drawing part did not load; the table has the same figures.</p>}
      {table && <TimeTable {...props} open={failed.value} />}
    </div>
  );
}

/** The engine on an element of its own, told of new data and of the crosshair without rendering. */
function usePlot(
  props: TimeChartProps,
  at: Signal<number | null>,
  max: number,
  height: number,
  failed: Signal<boolean>,
) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<TimePlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const data = {
    times: props.times,
    series: props.series,
    max,
    markers: props.markers ?? [],
    limit: props.limit?.value ?? null,
  };
  const wanted = useRef(data);
  wanted.current = data;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let isGone = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const events = {
      onPoint: (time: number | null) => {
        at.value = time;
      },
      onSelect: (from: number, to: number) => latest.current.onZoom?.(from, to),
    };
    const load = (): Promise<void> =>
      import("./plot-engine.ts").then(
        ({ createTimePlot }) => {
          if (isGone) return;
          failed.value = false;
          plot.current = createTimePlot(element, height, events);
          plot.current.update(wanted.current);
        },
        () => {
          if (isGone) return;
          failed.value = true;
          retry = setTimeout(() => void load(), retryMs);
        },
      );
    void load();
    const stop = at.subscribe((time) => plot.current?.point(time));
    return () => {
      isGone = true;
      clearTimeout(retry);
      stop();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [at, height]);
  useEffect(() => plot.current?.update(data), [props.times, props.series, max, props.markers]);
  return host;
}

/** Arrows move the crosshair, + and - zoom around it, Escape takes it away and then the zoom. */
export function handleChartKey(
  event: KeyboardEvent,
  { times, onZoom, onReset }: Pick<TimeChartProps, "times" | "onZoom" | "onReset">,
  at: Signal<number | null>,
): void {
  const place = at.value === null ? times.length - 1 : nearestPlace(times, at.value);
  const step = event.shiftKey ? 10 : 1;
  const moves: Record<string, number> = {
    ArrowLeft: place - step,
    ArrowRight: place + step,
    Home: 0,
    End: times.length - 1,
  };
  const target = moves[event.key];
  if (target !== undefined) at.value = times[Math.min(times.length - 1, Math.max(0, target))] ?? null;
  else if (event.key === "+" || event.key === "-") zoomAround(times, place, event.key === "+" ? 0.25 : 1, onZoom);
  else if (event.key === "Escape" && at.value !== null) at.value = null;
  else if (event.key === "Escape" && onReset !== undefined) onReset();
  else return;
  event.preventDefault();
}

/** Asks for the range that is `half` of the shown span to both sides of a place. */
function zoomAround(times: readonly number[], place: number, half: number, onZoom: TimeChartProps["onZoom"]): void {
  const [first, last, middle] = [times[0], times.at(-1), times[place]];
  if (first === undefined || last === undefined || middle === undefined) return;
  onZoom?.(middle - (last - first) * half, middle + (last - first) * half);
}

function highest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => (value !== null && value > most ? value : most), 0);
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

/** Names and colours of the lines with their values at the crosshair, or the newest. */
export function TimeLegend({
  series,
  times,
  format,
  at,
  class: name = "legend",
}: Pick<TimeChartProps, "series" | "times" | "format"> & { at: Signal<number | null>; class?: string }) {
  const place = useComputed(() => (at.value === null ? null : nearestPlace(times, at.value)));
  return (
    <p class={name} aria-hidden="true">
      {series.map((one, index) => (
        <span key={one.label} class="kv">
          <i class={isDashed(one, times.length) ? "d" : ""} style={{ "--k": `var(${seriesColour(one, index)})` }} />
          {one.label}
          <b>{valueText(valueAt(one.values, place.value), format)}</b>
        </span>
      ))}
    </p>
  );
}

const tableLimit = 96;

/** The figures of a chart as a table, made when it is opened. */
export function TimeTable({
  label,
  series,
  times,
  format,
  markers = [],
  open: isOpen = false,
}: Pick<TimeChartProps, "label" | "series" | "times" | "format" | "markers"> & { open?: boolean }) {
  const open = useSignal(isOpen);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const eventsAt = (from: number, to: number): string =>
    markers
      .filter(({ t }) => t >= from && t < to)
      .map((marker) => marker.label)
      .join(", ");
  const rows = open.value || isOpen ? tableRows(times, series, tableLimit) : [];
  const width = rows.length > 1 ? (rows[1]?.at ?? 0) - (rows[0]?.at ?? 0) : 0;
  return (
    <details class="twin" open={isOpen} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        Figures<span class="sr"> of {label}</span>
      </summary>
      {rows.length > 0 && (
        <div class="twin-rows">
          <DataTable
            label={label}
            compact
            rows={rows}
            keyOf={(row) => String(row.at)}
            columns={[
              { id: "at", title: "Time", cell: (row) => fullLabel(row.at, span) },
              ...series.map((one, index) => ({
                id: one.label,
                title: one.label,
                number: true,
                cell: (row: (typeof rows)[number]) => valueText(row.values[index], format),
              })),
              ...(markers.length > 0
                ? [
                    {
                      id: "events",
                      title: "Events",
                      cell: (row: (typeof rows)[number]) => eventsAt(row.at, row.at + width),
                    },
                  ]
                : []),
            ]}
          />
        </div>
      )}
    </details>
  );
}

import type { MetricsRange } from "../../../../src/node/monitoring/metrics/contract.ts";

/** Ranges of the history, shortest first, with their length and the width of a point in ms. */
export const ranges: { value: MetricsRange; label: string; spanMs: number; pointMs: number }[] = [
  { value: "1h", label: "1 h", spanMs: 3_600_000, pointMs: 60_000 },
  { value: "6h", label: "6 h", spanMs: 21_600_000, pointMs: 60_000 },
  { value: "24h", label: "24 h", spanMs: 86_400_000, pointMs: 60_000 },
  { value: "7d", label: "7 d", spanMs: 604_800_000, pointMs: 3_600_000 },
  { value: "30d", label: "30 d", spanMs: 2_592_000_000, pointMs: 3_600_000 },
];

/** What the address asks to see. */
export interface View {
  range: MetricsRange;
  /** A part of the range, epoch ms. */
  zoom: { from: number; to: number } | null;
  /** The range to load: the shortest one that holds the zoomed part, because its points are finer. */
  load: MetricsRange;
}

/** Zooming in further would show too few points to say anything. */
const leastPoints = 5;

/** Reads `range`, `from` and `to` of the address; anything that makes no sense is left out. */
export function readView(query: URLSearchParams, now: number): View {
  const range = ranges.find(({ value }) => value === query.get("range"))?.value ?? "24h";
  const [from, to] = [Number(query.get("from") ?? Number.NaN), Number(query.get("to") ?? Number.NaN)];
  if (!(from < to) || to < now - 30 * 86_400_000 || from > now) return { range, zoom: null, load: range };
  const load = ranges.find(({ spanMs }) => from >= now - spanMs)?.value ?? "30d";
  return { range, zoom: { from, to }, load };
}

/** The changes to the address that show a part of the range; null where the part is the range or more. */
export function zoomQuery(from: number, to: number, range: MetricsRange, now: number): Record<string, string | null> {
  const span = ranges.find(({ value }) => value === range)?.spanMs ?? 0;
  if (to - from >= span) return { from: null, to: null };
  const least = leastPoints * (ranges.find(({ spanMs }) => from >= now - spanMs)?.pointMs ?? 60_000);
  const middle = (from + to) / 2;
  const half = Math.max(to - from, least) / 2;
  return { from: String(Math.round(middle - half)), to: String(Math.round(Math.min(now, middle + half))) };
}

/** Places of `times` within the zoom, with one more on each side so that lines run to the edge. */
export function placesOf(times: readonly number[], zoom: View["zoom"]): [start: number, end: number] {
  if (zoom === null) return [0, times.length];
  const start = times.findIndex((time) => time >= zoom.from);
  const after = times.findIndex((time) => time > zoom.to);
  if (start < 0) return [Math.max(0, times.length - 2), times.length];
  return [Math.max(0, start - 1), after < 0 ? times.length : after + 1];
}

/** Points of a history as they arrive: `ts` and figures. */
export type Points = readonly { ts: string; [figure: string]: string | number | null }[];

/** More points than these cannot be told apart on a screen: the lines merge into a stripe. */
const mostPoints = 400;

/** Milliseconds from one drawn point to the next. */
export function stepOf({ load, zoom }: View): number {
  const { spanMs, pointMs } = ranges.find(({ value }) => value === load) ?? { spanMs: 0, pointMs: 60_000 };
  const count = (zoom === null ? spanMs : zoom.to - zoom.from) / pointMs;
  return pointMs * ([1, 2, 5].find((factor) => count / factor <= mostPoints) ?? 10);
}

/** The same with a point every `stepMs`: means of the figures, and the largest of what is a peak. */
export function coarser(points: Points, stepMs: number): Points {
  const groups = Map.groupBy(points, ({ ts }) => Math.floor(Date.parse(ts) / stepMs));
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return { ts: "", ...first };
    const figures = Object.keys(first).filter((name) => name !== "ts");
    return { ts: first.ts, ...Object.fromEntries(figures.map((name) => [name, together(group, name)])) };
  });
}

function together(group: Points, figure: string): number | null {
  const known = group.map((point) => point[figure]).filter((value) => typeof value === "number");
  if (known.length === 0) return null;
  if (/(^|_)max$/.test(figure)) return Math.max(...known);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** What happened in the time of these points. Each names the start of its bucket, so the last one goes on for a width. */
export function eventsWithin<E extends { timestamp: string }>(events: readonly E[], times: readonly number[]): E[] {
  const [first = 0, second = first] = times;
  const end = (times.at(-1) ?? 0) + (second - first);
  return events.filter(({ timestamp }) => Date.parse(timestamp) >= first && Date.parse(timestamp) <= end);
}

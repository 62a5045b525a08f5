import type { MetricsRange } from "../../../../src/node/monitoring/metrics/contract.ts";

/** Ranges of the history, shortest first, with their length and the width of a point in ms. */
export const ranges: { value: MetricsRange; label: string; spanMs: number; pointMs: number }[] = [
  { value: "1h", label: "1 h", spanMs: 3_600_000, pointMs: 60_000 },
  { value: "6h", label: "6 h", spanMs: 21_600_000, pointMs: 60_000 },
  { value: "24h", label: "24 h", spanMs: 86_400_000, pointMs: 60_000 },
  { value: "7d", label: "7 d", spanMs: 604_800_000, pointMs: 3_600_000 },
  { value: "30d", label: "30 d", spanMs: 2_592_000_000, pointMs: 3_600_000 },
];

/** A part of the last year, epoch ms. */
export interface Part {
  from: number;
  to: number;
}

/** What the address asks to see. */
export interface View {
  range: MetricsRange;
  /** What is shown instead of the whole range. */
  zoom: Part | null;
  /** The range to load: the shortest one that holds the shown part, because its points are finer. Null for what began before all of them. */
  load: MetricsRange | null;
}

const dayMs = 86_400_000;
/** Nothing is kept for longer. */
export const yearMs = 365 * dayMs;

/** Zooming in further would show too few points to say anything. */
const leastPoints = 5;

/** A moment of the address: epoch ms, or a date and time as people write them. */
const momentOf = (text: string | null): number => (text === null ? Number.NaN : Number(text) || Date.parse(text));

const rangeSince = (from: number, now: number) => ranges.find(({ spanMs }) => from >= now - spanMs);

/** Reads `range`, `from` and `to` of the address; anything that makes no sense is left out. `usual` is shown where no range is asked for. */
export function readView(query: URLSearchParams, now: number, usual: MetricsRange = "24h"): View {
  const range = ranges.find(({ value }) => value === query.get("range"))?.value ?? usual;
  const [from, to] = [momentOf(query.get("from")), momentOf(query.get("to"))];
  if (!(from < to) || to < now - yearMs || from > now) return { range, zoom: null, load: range };
  return { range, zoom: { from, to }, load: rangeSince(from, now)?.value ?? null };
}

/** What to ask the server for. */
export function loadQuery({ load, zoom }: View): { range: MetricsRange } | { from: string; to: string } {
  if (load !== null || zoom === null) return { range: load ?? "24h" };
  return { from: new Date(zoom.from).toISOString(), to: new Date(zoom.to).toISOString() };
}

/** The changes to the address that show a part; nulls where it would be the whole range again. */
export function zoomQuery(from: number, to: number, { range, zoom }: View, now: number): Record<string, string | null> {
  const span = ranges.find(({ value }) => value === range)?.spanMs ?? 0;
  const isInRange = zoom === null || (zoom.from >= now - span && zoom.to - zoom.from <= span);
  if (isInRange && to - from >= span) return { from: null, to: null };
  const least = leastPoints * (rangeSince(from, now)?.pointMs ?? dayMs);
  const middle = (from + to) / 2;
  const half = Math.max(to - from, least) / 2;
  return partQuery({ from: middle - half, to: middle + half }, now);
}

/** The changes to the address that show this part, as far as it lies in the last year. */
export function partQuery({ from, to }: Part, now: number): Record<string, string | null> {
  return { from: String(Math.round(Math.max(now - yearMs, from))), to: String(Math.round(Math.min(now, to))) };
}

/** The shortest range that holds all of a first day, by when its first point was measured. */
export function firstDayRange(points: Points, now: number): MetricsRange {
  const first = points.find(({ value }) => value !== null);
  if (first === undefined) return "1h";
  // A point is stored up to a minute after it began.
  const age = now - 60_000 - Date.parse(first.ts);
  return ranges.find(({ value, spanMs }) => value === "24h" || age <= spanMs)?.value ?? "24h";
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

/** Milliseconds from one stored point to the next. */
export function pointOf({ load }: View): number {
  return ranges.find(({ value }) => value === load)?.pointMs ?? dayMs;
}

/** Milliseconds from one drawn point to the next. */
export function stepOf(view: View): number {
  const { load, zoom } = view;
  const pointMs = pointOf(view);
  const spanMs = ranges.find(({ value }) => value === load)?.spanMs ?? 0;
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

/** Midnight of the day that is so many days before `now`, on this clock. */
export function dayStart(now: number, daysBefore: number): number {
  const time = new Date(now);
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - daysBefore).getTime();
}

/** A moment on this clock, as fields for a date and time take it. */
export function localText(at: number): string {
  const time = new Date(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** What keeps a chosen part from being shown; null when nothing does. */
export function partProblem({ from, to }: Part, now: number): { field: "from" | "to"; text: string } | null {
  if (Number.isNaN(from)) return { field: "from", text: "Choose a day and a time." };
  if (Number.isNaN(to)) return { field: "to", text: "Choose a day and a time." };
  if (from > now) return { field: "from", text: "This lies ahead. Choose a time that has been." };
  if (to <= from) return { field: "to", text: "Choose a time after the first one." };
  if (to < now - yearMs) return { field: "to", text: "Nothing is kept for longer than a year. Choose a later time." };
  return null;
}

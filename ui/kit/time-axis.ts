import { locale } from "./locale.ts";

/** One line of a time chart; null is a gap. */
export interface TimeSeries {
  label: string;
  values: readonly (number | null)[];
  /** Drawn dashed, and not filled. */
  dash?: boolean;
  /** Custom property of the colour; by its place when left out. */
  colour?: string;
}

/** The colour of the line at `index`: six are told apart by everybody. */
export function seriesColour(series: TimeSeries, index: number): string {
  return series.colour ?? `--c${(index % 6) + 1}`;
}

/** Ranges of places without any value between places with one: what was not measured, though it was before and after. */
export function gapsOf(series: readonly TimeSeries[], length: number): [from: number, to: number][] {
  const isEmpty = (index: number): boolean => series.every(({ values }) => (values[index] ?? null) === null);
  const gaps: [number, number][] = [];
  let before = -1;
  for (let index = 0; index < length; index++) {
    if (isEmpty(index)) continue;
    if (before >= 0 && index - before > 1) gaps.push([before, index]);
    before = index;
  }
  return gaps;
}

/** Newest buckets may still be empty: a minute is written some seconds after it ended. */
const newestWithin = 5;

/** The value to show at a place; with null, the newest one known, unless nothing came for some points. */
export function valueAt(values: readonly (number | null)[], place: number | null): number | null {
  if (place !== null) return values[place] ?? null;
  return values.slice(-newestWithin).findLast((value) => value !== null) ?? null;
}

/** More points than these make a dashed line look like noise. */
const mostDashed = 300;

/** Whether a line of so many points is drawn dashed. */
export function isDashed({ dash }: TimeSeries, points: number): boolean {
  return dash === true && points <= mostDashed;
}

/** Places whose neighbours are gaps: a line has no length there, so they are drawn as dots. */
export function lonePlaces(values: readonly (number | null | undefined)[]): number[] {
  const isGap = (index: number): boolean => (values[index] ?? null) === null;
  return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

/** The place whose time is nearest; -1 without times. */
export function nearestPlace(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [times[low - 1], times[low]];
  if (before !== undefined && after !== undefined && at - before <= after - at) return low - 1;
  return after === undefined ? -1 : low;
}

const dayMs = 86_400_000;

/** A time as short as its span allows: clock time within two days, the date in longer ones. */
export function axisLabel(at: number, spanMs: number): string {
  const time = new Date(at);
  if (spanMs <= 10 * 60_000) return time.toLocaleTimeString(locale, { timeStyle: "medium" });
  if (spanMs <= 2 * dayMs) return time.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  return time.toLocaleDateString(locale, { day: "numeric", month: "short" });
}

/** A time with all that tells it from the others of the chart. */
export function fullLabel(at: number, spanMs: number): string {
  const time = new Date(at);
  const clock = axisLabel(at, Math.min(spanMs, 2 * dayMs));
  return spanMs <= dayMs / 4
    ? clock
    : `${time.toLocaleDateString(locale, { day: "numeric", month: "short" })}, ${clock}`;
}

/** About `count` labels, evenly along the axis. */
export function axisLabels(times: readonly number[], count: number): string[] {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const labels = fittingCount(times.length - 1, count);
  return Array.from({ length: labels }, (_, index) =>
    axisLabel(first + ((last - first) * index) / (labels - 1), last - first),
  );
}

/** Few points, such as days, have their labels below points: between them, every other day would seem to be missing. */
function fittingCount(steps: number, count: number): number {
  if (steps > 30) return count;
  return [count, count - 1, count + 1].find((labels) => labels > 1 && steps % (labels - 1) === 0) ?? count;
}

/** The rows of a table with at most `limit` entries, each the mean of as many points as that takes. */
export function tableRows(
  times: readonly number[],
  series: readonly TimeSeries[],
  limit: number,
): { at: number; values: (number | null)[] }[] {
  const step = Math.max(1, Math.ceil(times.length / limit));
  const rows: { at: number; values: (number | null)[] }[] = [];
  for (let start = 0; start < times.length; start += step) {
    const values = series.map((one) => {
      const known = one.values.slice(start, start + step).filter((value) => value !== null);
      return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
    });
    rows.push({ at: times[start] ?? 0, values });
  }
  return rows;
}

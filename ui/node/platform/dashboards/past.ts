import type { RecentSamples } from "../../../../src/node/monitoring/metrics/contract.ts";
import type { LiveMetrics } from "../../../../src/node/monitoring/system/contract.ts";
import { liveLength } from "../../monitoring/system/live.ts";

type Recent = RecentSamples[number];

/** Samples of the history further apart than this have a gap between them. */
const gapMs = 15_000;

/**
 * What the seconds before the first live sample showed, oldest first, so that a chart need not start empty: the history has
 * a sample for each 10 s, and what lies between two is on the line between them.
 */
export function pastValues(
  recent: readonly Recent[],
  live: readonly LiveMetrics[],
  read: (sample: Recent) => (number | null)[],
): (number | null)[][] {
  const firstLive = live[0] === undefined ? Date.parse(recent.at(-1)?.at ?? "") + 10_000 : Date.parse(live[0].at);
  const points = recent.map((sample) => ({ at: Date.parse(sample.at) + 5_000, values: read(sample) }));
  if (points.length === 0) return [];
  const seconds = Math.max(0, liveLength - live.length);
  return Array.from({ length: seconds }, (_, index) => valuesAt(points, firstLive - (seconds - index) * 1000));
}

function valuesAt(points: readonly { at: number; values: (number | null)[] }[], at: number): (number | null)[] {
  const next = points.findIndex((point) => point.at >= at);
  const after = points[next < 0 ? points.length - 1 : next];
  const before = points[next < 0 ? points.length - 1 : next - 1];
  if (after === undefined) return [];
  if (before === undefined || before === after)
    return Math.abs(after.at - at) <= gapMs ? after.values : after.values.map(() => null);
  if (after.at - before.at > gapMs) return after.values.map(() => null);
  const share = (at - before.at) / (after.at - before.at);
  return after.values.map((value, index) => {
    const from = before.values[index] ?? null;
    return value === null || from === null ? null : from + (value - from) * share;
  });
}

/** From the first row on that has a value: a chart shows what there is across its whole width. */
export function withoutEmptyStart(rows: readonly (number | null)[][]): (number | null)[][] {
  const first = rows.findIndex((row) => row.some((value) => value !== null));
  return first < 0 ? [] : rows.slice(first);
}

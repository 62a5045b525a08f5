import { hours, minutes } from "../../../lib/duration.ts";
import { leastSquares } from "../../../lib/regression.ts";
import { mean } from "../../../lib/statistics.ts";

/** One measured minute. */
export interface Minute {
  t: number;
  value: number;
}

/** Where the line through the last 24 hours points to one hour ahead, and what such lines were worth lately. */
export interface HourAhead {
  current: number;
  predicted: number;
  trend_per_hour: number;
  r_squared: number;
  backtest: { runs: number; mean_absolute_error: number; unchanged_error: number; has_skill: boolean };
}

/** A line needs to see at least half a day. */
export const MIN_MINUTES = 12 * 60;
const AHEAD_MS = hours(1);
const WINDOW_MS = hours(24);
const NOW_MS = minutes(5);
/** Cuts in the past at which the prediction is made again; each has at least half of its day. */
const RUNS = 6;
const MIN_RUNS = 3;

function valueAround(list: readonly Minute[], end: number): number {
  return mean(list.filter(({ t }) => t >= end - NOW_MS && t < end).map(({ value }) => value));
}

function predict(list: readonly Minute[], from: number) {
  const seen = list.filter(({ t }) => t >= from - WINDOW_MS && t < from);
  const line = leastSquares(seen.map(({ t, value }) => ({ x: (t - from) / hours(1), y: value })));
  return line && { ...line, predicted: line.intercept + line.slope };
}

/** Predicts one hour ahead of `now`; null when the minutes (oldest first) are too few to fit or to test the fit. */
export function lookHourAhead(list: readonly Minute[], now: number): HourAhead | null {
  const line = list.length >= MIN_MINUTES ? predict(list, now) : null;
  const current = valueAround(list, now);
  if (!line || Number.isNaN(current)) return null;
  const errors: number[] = [];
  const unchanged: number[] = [];
  for (let run = 1; run <= RUNS; run++) {
    const cut = now - run * AHEAD_MS;
    const guess = predict(list, cut);
    const before = valueAround(list, cut);
    const after = valueAround(list, cut + AHEAD_MS);
    if (!guess || Number.isNaN(before) || Number.isNaN(after)) continue;
    errors.push(Math.abs(guess.predicted - after));
    unchanged.push(Math.abs(before - after));
  }
  if (errors.length < MIN_RUNS) return null;
  const [mean_absolute_error, unchanged_error] = [mean(errors), mean(unchanged)];
  return {
    current,
    predicted: line.predicted,
    trend_per_hour: line.slope,
    r_squared: line.r_squared,
    backtest: {
      runs: errors.length,
      mean_absolute_error,
      unchanged_error,
      has_skill: mean_absolute_error < unchanged_error,
    },
  };
}

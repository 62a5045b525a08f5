import { hours } from "../../../lib/duration.ts";
import { median, quantile, robustDeviation } from "../../../lib/statistics.ts";

/** Hours of a week; slot 0 is Thursday 00:00 UTC, where hour 0 of the epoch lies. */
export const SLOTS = 168;
/** Weekly means kept of each slot. */
export const KEPT_WEEKS = 8;
const DAY_HOURS = 24;
/** Hours that the spread is taken from. */
const SPREAD_HOURS = 28 * DAY_HOURS;
/** Without a week nothing is known of weekdays, and without three days of residuals nothing of the spread. */
const LEARN_HOURS = SLOTS;
const LEARN_RESIDUALS = 3 * DAY_HOURS;
/** A slot of n weeks counts n / (n + 2) against the same hour of all days. */
const PRIOR_WEEKS = 2;
const RELATIVE_FLOOR = 0.02;
const PAST_DEVIATIONS = 4;
const PAST_SHARE = 0.99;

/** One closed hour: `hour` counts from 1970 UTC, `residual` is the mean less what was expected then. */
export interface HourMean {
  hour: number;
  mean: number;
  residual: number | null;
}

/** What an hour should look like. */
export interface Expectation {
  mean: number;
  /** Robust spread of the hourly means around what was expected. */
  stddev: number;
  /** Distance from the mean that is past what ever was usual. */
  limit: number;
}

/** What a metric of one series usually is, hour by hour of the week. */
export interface Baseline {
  /** Takes in the mean of a closed hour; hours come in order. */
  learn(hour: number, mean: number): HourMean;
  /** What the hour should look like by all that came before; null while too little is known. */
  expect(hour: number): Expectation | null;
  /** The mean expected for an hour even where the spread is not known yet; null without a single fitting hour. */
  expectMean(hour: number): number | null;
  /** Weekly means that the slot of an hour has. */
  weeksOf(hour: number): number;
  /** Hours to go at least until `expect` answers; 0 when it does. */
  hoursToLearn(hour: number): number;
  /** Hours learned and still kept, oldest first. */
  learned(): HourMean[];
}

export const hourOf = (t: number): number => Math.floor(t / hours(1));
export const slotOf = (hour: number): number => ((hour % SLOTS) + SLOTS) % SLOTS;

/** A baseline that knows `known` (oldest first) already. `floor` is the smallest spread, in the metric's unit. */
export function createBaseline(floor: number, known: readonly HourMean[] = []): Baseline {
  const slots: HourMean[][] = Array.from({ length: SLOTS }, () => []);
  let residuals: HourMean[] = [];
  let firstHour: number | null = null;
  let spread: { hour: number; deviation: number; far: number } | null = null;

  const at = (hour: number): HourMean[] => slots[slotOf(hour)] ?? [];
  const means = (list: readonly HourMean[]): number[] => list.map(({ mean }) => mean);

  function keep(entry: HourMean): void {
    const slot = at(entry.hour);
    slot.push(entry);
    if (slot.length > KEPT_WEEKS) slot.shift();
    firstHour ??= entry.hour;
    if (entry.residual !== null) residuals.push(entry);
    spread = null;
  }
  for (const entry of known) keep(entry);

  function expectMean(hour: number): number | null {
    const days = Array.from({ length: 7 }, (_, day) => at(hour + day * DAY_HOURS)).flat();
    const sameTime = median(means(days.filter((entry) => entry.hour < hour)));
    if (Number.isNaN(sameTime)) return null;
    // This week's own neighbours would outweigh the slot itself, on one side of a daily edge only.
    const isEarlierWeek = (entry: HourMean): boolean => hour - entry.hour > SLOTS / 2;
    const near = [hour - 1, hour, hour + 1].flatMap(at).filter(isEarlierWeek);
    const weeks = at(hour).length;
    if (weeks === 0 || near.length === 0) return sameTime;
    return (weeks * median(means(near)) + PRIOR_WEEKS * sameTime) / (weeks + PRIOR_WEEKS);
  }

  function measureSpread(hour: number): { deviation: number; far: number } {
    if (spread?.hour === hour) return spread;
    residuals = residuals.filter((entry) => entry.hour >= hour - SPREAD_HOURS);
    const values = residuals.flatMap(({ residual }) => (residual === null ? [] : [residual]));
    spread = { hour, deviation: robustDeviation(values), far: quantile(values.map(Math.abs), PAST_SHARE) };
    return spread;
  }

  function hoursToLearn(hour: number): number {
    const recent = residuals.filter((entry) => entry.hour >= hour - SPREAD_HOURS).length;
    const age = firstHour === null ? 0 : hour - firstHour;
    return Math.max(0, LEARN_HOURS - age, LEARN_RESIDUALS - recent);
  }

  return {
    learn(hour, mean) {
      const expected = expectMean(hour);
      const entry = { hour, mean, residual: expected === null ? null : mean - expected };
      keep(entry);
      return entry;
    },
    expect(hour) {
      const mean = expectMean(hour);
      if (mean === null || hoursToLearn(hour) > 0) return null;
      const { deviation, far } = measureSpread(hour);
      const stddev = Math.max(deviation, RELATIVE_FLOOR * Math.abs(mean), floor);
      return { mean, stddev, limit: Math.max(PAST_DEVIATIONS * stddev, far) };
    },
    expectMean,
    weeksOf: (hour) => at(hour).length,
    hoursToLearn,
    learned: () => slots.flat().toSorted((a, b) => a.hour - b.hour),
  };
}

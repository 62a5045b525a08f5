import { hours } from "../../../lib/duration.ts";
import { median, returnLevel, robustDeviation } from "../../../lib/statistics.ts";

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
/** Nothing nearer than so many deviations is unusual, however thin the tails. */
const PAST_DEVIATIONS = 4;
/** What comes more often than once in so many hours of a tail like the one seen is usual. */
const RETURN_HOURS = 4 * SLOTS;
const SPREAD_STEP_HOURS = 6;
const TAIL_SHARE = 0.05;
/** What happened on so many days is usual, whatever the tail says. */
const USUAL_DAYS = 3;
/** The level follows the median of so many hours, so that a change that stays is usual after half of them. */
const LEVEL_HOURS = 24;
const MIN_LEVEL_HOURS = 6;
/** By how much limits are widened after a single week; less with each further one. */
const SHORT_HISTORY = 0.3;
/** The spread of an hour of the day counts n / (n + 24) against that of all hours. */
const PRIOR_SPREAD = 24;

/** One closed hour: `hour` counts from 1970 UTC, `residual` is the mean less what was expected then. */
export interface HourMean {
  hour: number;
  mean: number;
  residual: number | null;
}

/** What an hour should look like. */
export interface Expectation {
  mean: number;
  /** Robust spread of the hourly means around what was expected, at this time of day. */
  stddev: number;
  /** Distances above and below the mean that are past everything usual. */
  above: number;
  below: number;
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

/** How far an hour was from what was expected of it, level and all. */
interface Miss {
  hour: number;
  off: number;
  /** What was expected. */
  mean: number;
}

/** What is known of an hour of the week. */
interface Weekly {
  hour: number;
  /** Weeks it comes from. */
  weeks: number;
  /** Median of the hour and its neighbours in those; nothing without any. */
  near: number;
}

/** What the misses of the last weeks say about those to come. */
interface Spread {
  /** Of each hour of the day. */
  deviations: readonly number[];
  /** How far is past everything usual, in deviations. */
  above: number;
  below: number;
  /** How far from the mean each hour of the day was on enough days to be usual, in the metric's unit. */
  usualAbove: readonly number[];
  usualBelow: readonly number[];
}

const timeOfDay = (hour: number): number => slotOf(hour) % DAY_HOURS;

/** What was reached on `USUAL_DAYS` days at least. */
function usualPeak(misses: readonly Miss[], sizeOf: (miss: Miss) => number): number {
  const days = new Map<number, number>();
  for (const miss of misses) {
    const day = Math.floor(miss.hour / DAY_HOURS);
    days.set(day, Math.max(days.get(day) ?? 0, sizeOf(miss)));
  }
  return [...days.values()].sort((a, b) => b - a)[USUAL_DAYS - 1] ?? 0;
}

/** Something for each hour of the day, from the misses of it and its neighbours. */
function byTimeOfDay(misses: readonly Miss[], read: (near: readonly Miss[]) => number): number[] {
  const byTime = Map.groupBy(misses, ({ hour }) => timeOfDay(hour));
  return Array.from({ length: DAY_HOURS }, (_, time) =>
    read([time - 1, time, time + 1].flatMap((one) => byTime.get((one + DAY_HOURS) % DAY_HOURS) ?? [])),
  );
}

/** The spread by time of day, drawn towards that of all hours where a time has few. */
function deviationsOf(misses: readonly Miss[]): number[] {
  const whole = robustDeviation(misses.map(({ off }) => off));
  return byTimeOfDay(misses, (near) => {
    const own = near.length === 0 ? whole : robustDeviation(near.map(({ off }) => off));
    return Math.sqrt((near.length * own ** 2 + PRIOR_SPREAD * whole ** 2) / (near.length + PRIOR_SPREAD));
  });
}

function spreadOf(misses: readonly Miss[], floor: number): Spread {
  const deviations = deviationsOf(misses);
  const limitOf = (sign: number): number => {
    const sizeOf = ({ hour, off, mean }: Miss): number =>
      Math.max(0, sign * off) / Math.max(deviations[timeOfDay(hour)] ?? 0, RELATIVE_FLOOR * Math.abs(mean), floor);
    const level = returnLevel(misses.map(sizeOf), RETURN_HOURS, 1, TAIL_SHARE);
    return Math.max(PAST_DEVIATIONS, usualPeak(misses, sizeOf), level);
  };
  const usualOf = (sign: number): number[] =>
    byTimeOfDay(misses, (near) => usualPeak(near, ({ off }) => Math.max(0, sign * off)));
  return { deviations, above: limitOf(1), below: limitOf(-1), usualAbove: usualOf(1), usualBelow: usualOf(-1) };
}

/** A baseline that knows `known` (oldest first) already. `floor` is the smallest spread, in the metric's unit. */
export function createBaseline(floor: number, known: readonly HourMean[] = []): Baseline {
  const slots: HourMean[][] = Array.from({ length: SLOTS }, () => []);
  const ofDays: (number | undefined)[] = [];
  /** The last hours, oldest first. */
  let recent: (Weekly & { mean: number })[] = [];
  let misses: Miss[] = [];
  let firstHour: number | null = null;
  let spreads: (Spread & { until: number })[] = [];

  const at = (hour: number): HourMean[] => slots[slotOf(hour)] ?? [];
  const means = (list: readonly HourMean[]): number[] => list.map(({ mean }) => mean);

  /** Median of all days at the time of an hour; NaN of nothing. */
  function medianOfDays(hour: number): number {
    const time = timeOfDay(hour);
    const known = ofDays[time];
    if (known !== undefined) return known;
    const found = median(means(Array.from({ length: 7 }, (_, day) => at(time + day * DAY_HOURS)).flat()));
    ofDays[time] = found;
    return found;
  }

  /** What earlier weeks say about an hour of the week; changes only with the weeks. */
  function weekly(hour: number): Weekly {
    // This week's own neighbours would outweigh the slot itself, on one side of a daily edge only.
    const isEarlierWeek = (entry: HourMean): boolean => hour - entry.hour > SLOTS / 2;
    const near = [hour - 1, hour, hour + 1].flatMap(at).filter(isEarlierWeek);
    return { hour, weeks: near.length === 0 ? 0 : at(hour).length, near: median(means(near)) };
  }

  /** By time of day and week alone; the time of day as it is known now. */
  function seasonOf({ hour, weeks, near }: Weekly): number | null {
    const sameTime = medianOfDays(hour);
    if (Number.isNaN(sameTime)) return null;
    return weeks === 0 ? sameTime : (weeks * near + PRIOR_WEEKS * sameTime) / (weeks + PRIOR_WEEKS);
  }

  /**
   * How far the last hours were from their time of week; 0 while too little is known. Their time of day as it is known now: a
   * change that stayed is in there one day, and must not be in the level as well.
   */
  function levelAt(hour: number): number {
    const offs = recent.flatMap((one) => {
      if (one.hour >= hour || one.hour < hour - LEVEL_HOURS) return [];
      const season = seasonOf(one);
      return season === null ? [] : [one.mean - season];
    });
    return offs.length < MIN_LEVEL_HOURS ? 0 : median(offs);
  }

  function keep(entry: HourMean, isMeasured = true): void {
    const { hour, mean, residual } = entry;
    firstHour ??= hour;
    if (residual !== null && isMeasured) {
      const off = residual - levelAt(hour);
      misses.push({ hour, off, mean: mean - off });
      const oldest = hour - SPREAD_HOURS - SPREAD_STEP_HOURS;
      if ((misses[0]?.hour ?? hour) < oldest) misses = misses.filter((one) => one.hour >= oldest);
    }
    recent = [...recent.slice(1 - LEVEL_HOURS), { ...weekly(hour), mean }];
    const slot = at(hour);
    slot.push(entry);
    if (slot.length > KEPT_WEEKS) slot.shift();
    ofDays[timeOfDay(hour)] = undefined;
  }
  // What is too old for the spread is not worth the work.
  const spreadFrom = (known.at(-1)?.hour ?? 0) - SPREAD_HOURS - SPREAD_STEP_HOURS;
  for (const entry of known) keep(entry, entry.hour >= spreadFrom);

  function expectMean(hour: number): number | null {
    const season = seasonOf(weekly(hour));
    return season === null ? null : season + levelAt(hour);
  }

  /** Taken anew four times a day: it changes slowly, and costs a few milliseconds. */
  function measureSpread(hour: number): Spread {
    const until = Math.floor(hour / SPREAD_STEP_HOURS) * SPREAD_STEP_HOURS;
    const known = spreads.find((one) => one.until === until);
    if (known) return known;
    const list = misses.filter((miss) => miss.hour >= until - SPREAD_HOURS && miss.hour < until);
    const found = { until, ...spreadOf(list.length > 0 ? list : misses, floor) };
    spreads = [found, ...spreads.slice(0, 1)];
    return found;
  }

  function hoursToLearn(hour: number): number {
    const lately = misses.filter((miss) => miss.hour >= hour - SPREAD_HOURS).length;
    const age = firstHour === null ? 0 : hour - firstHour;
    return Math.max(0, LEARN_HOURS - age, LEARN_RESIDUALS - lately);
  }

  return {
    learn(hour, mean) {
      const expected = seasonOf(weekly(hour));
      const entry = { hour, mean, residual: expected === null ? null : mean - expected };
      keep(entry);
      return entry;
    },
    expect(hour) {
      const mean = expectMean(hour);
      if (mean === null || hoursToLearn(hour) > 0) return null;
      const { deviations, above, below, usualAbove, usualBelow } = measureSpread(hour);
      const time = timeOfDay(hour);
      const stddev = Math.max(deviations[time] ?? 0, RELATIVE_FLOOR * Math.abs(mean), floor);
      // Of a short history the next part differs more from the one before.
      const weeks = Math.max(1, (hour - (firstHour ?? hour)) / SLOTS);
      const reach = stddev * (1 + SHORT_HISTORY / weeks);
      return {
        mean,
        stddev,
        above: Math.max(above * reach, (usualAbove[time] ?? 0) + stddev),
        below: Math.max(below * reach, (usualBelow[time] ?? 0) + stddev),
      };
    },
    expectMean,
    weeksOf: (hour) => at(hour).length,
    hoursToLearn,
    learned: () => slots.flat().toSorted((a, b) => a.hour - b.hour),
  };
}

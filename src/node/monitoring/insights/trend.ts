import { leastSquares, type Point, theilSenSlope } from "../../../lib/regression.ts";
import { mean, median } from "../../../lib/statistics.ts";

/** Daily values in percent, x in days; oldest first. */
export type Days = readonly Point[];

/** A trend that the values bear out. */
export interface Trend {
  /** Points a day. */
  slope: number;
  intercept: number;
  r_squared: number;
  /** Where the line is at the time asked about. */
  level: number;
  /** Half of the 95 % band around the line at a day, for single days. */
  band(x: number): number;
}

export type TrendResult = { trend: Trend } | { trend: null; reason: string };

/** Fewer days say nothing. */
const MIN_DAYS = 3;
/** A jump beyond this many points, and beyond what is usual between days, begins a new story. */
const STEP_POINTS = 10;
const STEP_TIMES = 4;
/** A fall beyond this is somebody, or something, that cleans up. */
const FALL_POINTS = 3;
/** Below this there is no trend to speak of. */
export const MIN_R_SQUARED = 0.3;
/** How far the two ways to measure a slope may be apart. */
const MAX_RATIO = 2;

/** The values since the last jump up or down. */
export function sinceLastStep(days: Days): Days {
  const changes = days.slice(1).map(({ y }, index) => Math.abs(y - (days[index]?.y ?? y)));
  const usual = median(changes);
  const last = changes.findLastIndex((change) => change > STEP_POINTS && change > STEP_TIMES * usual);
  return days.slice(last + 1);
}

/** The deepest fall, from the highest value before it; null when there is none worth the name. */
function deepestFall(days: Days): { from: number; to: number } | null {
  let peak = Number.NEGATIVE_INFINITY;
  let deepest = { from: 0, to: 0 };
  for (const { y } of days) {
    peak = Math.max(peak, y);
    if (peak - y > deepest.from - deepest.to) deepest = { from: peak, to: y };
  }
  return deepest.from - deepest.to > FALL_POINTS ? deepest : null;
}

const points = (value: number): string => `${value.toFixed(0)}%`;

/** Why a growing line is not to be trusted; null when it is. */
function doubtGrowth(days: Days, used: Days, slope: number, now: number): string | null {
  const fall = deepestFall(days);
  if (fall && now <= fall.from + Math.max(1, (fall.from - fall.to) / 10)) {
    return `Use fell from ${points(fall.from)} to ${points(fall.to)} within these days, as it does where old files are removed. There is a forecast once it is clearly past ${points(fall.from)}.`;
  }
  const robust = theilSenSlope(used);
  const ratio = robust / slope;
  if (!(ratio >= 1 / MAX_RATIO && ratio <= MAX_RATIO)) return "It grows now and then, at no steady rate.";
  return null;
}

/** The trend of `days` (about 30) as of day `x`, when use is `current`; or why there is none to speak of. */
export function findTrend(days: Days, current: number, x: number): TrendResult {
  const none = (reason: string): TrendResult => ({ trend: null, reason });
  if (days.length < MIN_DAYS) {
    const seen = days.length === 1 ? "is 1" : `are ${days.length}`;
    const wait = MIN_DAYS - days.length === 1 ? "a day" : `${MIN_DAYS - days.length} days`;
    return none(`A trend needs ${MIN_DAYS} days of measurements; there ${seen} so far. Ready in about ${wait}.`);
  }
  const used = sinceLastStep(days);
  const last = used.at(-1)?.y ?? current;
  const hasJustJumped =
    Math.abs(current - last) > STEP_POINTS && days.every(({ y }) => Math.abs(current - y) > STEP_POINTS);
  if (used.length < MIN_DAYS || hasJustJumped)
    return none(`It jumped lately; the trend since then needs ${MIN_DAYS} days.`);
  const line = leastSquares(used);
  if (!line) return none("The measurements lie too close together.");
  const level = line.intercept + line.slope * x;
  if (line.r_squared < MIN_R_SQUARED) return none("There is no trend: it stays about the same, or goes up and down.");
  const doubt = line.slope > 0 ? doubtGrowth(days, used, line.slope, Math.max(level, used.at(-1)?.y ?? level)) : null;
  if (doubt !== null) return none(doubt);

  const middle = mean(used.map((day) => day.x));
  const spread = used.reduce((sum, day) => sum + (day.x - middle) ** 2, 0);
  const squares = used.reduce((sum, day) => sum + (day.y - line.intercept - line.slope * day.x) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, used.length - 2));
  return {
    trend: {
      ...line,
      level,
      band: (at) => 2 * deviation * Math.sqrt(1 + 1 / used.length + (at - middle) ** 2 / spread),
    },
  };
}

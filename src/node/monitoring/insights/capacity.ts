import { type Days, findTrend, type Trend } from "./trend.ts";

export type Risk = "low" | "medium" | "high";

/** When something runs full. */
export type Capacity =
  | { status: "insufficient_data"; reason: string }
  | {
      status: "ok";
      trend: Trend;
      risk: Risk;
      /** Null when that is further away than anybody can tell. */
      days_until_full: number | null;
    };

/** Nobody knows what will be beyond. */
export const MAX_DAYS = 60;
const HIGH_DAYS = 7;
const MEDIUM_DAYS = 30;
/** Only a clear line through something half full is a reason to worry. */
const CLEAR_R_SQUARED = 0.5;
const WORRY_PERCENT = 50;

/** Days until the line reaches `percent`; 0 when it has, null when it will not within 60 days. */
export function daysUntil(percent: number, { slope, level }: Pick<Trend, "slope" | "level">): number | null {
  if (level >= percent) return 0;
  if (!(slope > 0)) return null;
  const days = (percent - level) / slope;
  return days <= MAX_DAYS ? days : null;
}

function riskOf(trend: Trend, current: number, days: number | null): Risk {
  if (days === null || trend.r_squared < CLEAR_R_SQUARED || current <= WORRY_PERCENT) return "low";
  if (days <= HIGH_DAYS) return "high";
  return days <= MEDIUM_DAYS ? "medium" : "low";
}

/** Judges daily use in percent as of day `x`; `current` is the use right now. */
export function judgeCapacity(days: Days, current: number, x: number): Capacity {
  const found = findTrend(days, current, x);
  if (found.trend === null) return { status: "insufficient_data", reason: found.reason };
  const { trend } = found;
  const days_until_full = current >= 100 ? 0 : daysUntil(100, trend);
  return { status: "ok", trend, risk: riskOf(trend, current, days_until_full), days_until_full };
}

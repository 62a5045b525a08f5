import { days, hours } from "../../../../lib/duration.ts";
import { lengthInWords } from "../../../../lib/time-words.ts";
import type { Prediction } from "../contract.ts";
import { insufficient, type Predictor } from "../predictor.ts";
import { countedSince, type Ends, sumEnds } from "../store.ts";

/** Telemetry below this is too young. */
const MIN_AGE_MS = days(1);
const DAY_HOURS = 24;
const WEEK_HOURS = 168;
/** Restarts that are one too many: one in four hours of a day, or one a day of a week. */
const MANY_A_DAY = 6;
const MANY_A_WEEK = 7;

function riskOf(day: Ends, week: Ends): "low" | "medium" | "high" {
  if (day.ooms > 0 || day.crashes > 0) return "high";
  return day.restarts >= MANY_A_DAY || week.restarts >= MANY_A_WEEK || week.ooms + week.crashes > 0 ? "medium" : "low";
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

function summarize(name: string, day: Ends, week: Ends): string {
  const parts = [
    day.ooms > 0 ? `ran out of memory ${times(day.ooms)}` : null,
    day.crashes > day.ooms ? `ended unexpectedly ${times(day.crashes - day.ooms)}` : null,
    day.restarts > 0 ? `was started again ${times(day.restarts)}` : null,
  ].filter((part) => part !== null);
  if (parts.length > 0) return `${name} ${parts.join(", ")} in the last 24 hours.`;
  const ends = week.crashes;
  if (ends > 0) return `${name} ended unexpectedly ${times(ends)} this week, but not in the last 24 hours.`;
  return week.restarts > 0
    ? `${name} was started again ${times(week.restarts)} this week.`
    : `${name} has run without a restart for a week or since it was installed.`;
}

/** Which apps crash, run out of memory or restart. */
export const appHealth: Predictor = {
  name: "app_health",
  predict({ db, clock, apps: { listInstalled } }) {
    const now = clock.now();
    const hour = Math.floor(now / hours(1));
    const counted = countedSince(db, now);
    const apps = listInstalled();
    if (apps.length === 0)
      return [insufficient("app_health", "No app was installed at the last look, which comes every hour.")];
    return apps.map(({ id, name, installed_at }): Prediction => {
      const age = now - Math.max(counted, installed_at === null ? now : Date.parse(installed_at));
      if (age < MIN_AGE_MS) {
        const wait = lengthInWords(MIN_AGE_MS - Math.max(0, age));
        return insufficient("app_health", `${name}: It needs 24 hours of watching. Ready in about ${wait}.`);
      }
      const day = sumEnds(db, id, hour - DAY_HOURS, hour);
      const week = sumEnds(db, id, hour - WEEK_HOURS, hour);
      return {
        predictor: "app_health",
        status: "ok",
        app_name: name,
        restarts_24h: day.restarts,
        restarts_7d: week.restarts,
        oom_kills_24h: day.ooms,
        crashes_24h: day.crashes,
        risk_level: riskOf(day, week),
        summary: summarize(name, day, week),
      };
    });
  },
};

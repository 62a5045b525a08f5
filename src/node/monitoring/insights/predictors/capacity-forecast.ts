import { toIso } from "../../../../lib/clock.ts";
import { days } from "../../../../lib/duration.ts";
import { judgeCapacity } from "../capacity.ts";
import type { Prediction } from "../contract.ts";
import { dailyUse, listDisks, type Use } from "../daily-use.ts";
import { insufficient, type Predictor, type PredictorDeps, round } from "../predictor.ts";

/** Processor and memory have no trend worth the name in less; a few days of them may be missing. */
const MIN_DAYS = 30;
const MIN_MEASURED = 25;

function predictUse(resource: string, { points, current, x }: Use, now: number): Prediction {
  const result = judgeCapacity(points, current, x);
  if (result.status === "insufficient_data") return insufficient("capacity_forecast", `${resource}: ${result.reason}`);
  const { trend, risk, days_until_full } = result;
  return {
    predictor: "capacity_forecast",
    status: "ok",
    resource,
    days_until_full: days_until_full === null ? null : round(days_until_full, 1),
    current_pct: round(current),
    trend_slope: round(trend.slope, 4),
    r_squared: round(trend.r_squared, 4),
    risk_level: risk,
    forecast_date: days_until_full === null ? null : toIso(now + days(days_until_full)),
  };
}

function predictHost(deps: PredictorDeps, resource: "ram" | "cpu", metric: string): Prediction {
  const now = deps.clock.now();
  const use = dailyUse(deps, "host", metric);
  const age = use ? Math.ceil(use.x - (use.points[0]?.x ?? use.x)) : 0;
  if (use !== null && age >= MIN_DAYS && use.points.length >= MIN_MEASURED) return predictUse(resource, use, now);
  const seen = Math.min(age, use?.points.length ?? 0);
  const missing = Math.max(1, MIN_DAYS - seen);
  return insufficient(
    "capacity_forecast",
    `${resource}: A forecast needs ${MIN_DAYS} days of measurements; there ${seen === 1 ? "is" : "are"} ${seen}. Ready in about ${missing} ${missing === 1 ? "day" : "days"}.`,
  );
}

/** When disks, memory and processor will be full. */
export const capacityForecast: Predictor = {
  name: "capacity_forecast",
  predict(deps) {
    const now = deps.clock.now();
    const disks = listDisks(deps).flatMap(({ mount_point, entity }) => {
      const use = dailyUse(deps, entity, "used_percent");
      return use ? [predictUse(`disk:${mount_point}`, use, now)] : [];
    });
    const none = insufficient("capacity_forecast", "disk: No disk has been measured so far.");
    return [
      ...(disks.length > 0 ? disks : [none]),
      predictHost(deps, "ram", "mem_percent"),
      predictHost(deps, "cpu", "cpu_percent"),
    ];
  },
};

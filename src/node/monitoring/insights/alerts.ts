import { hours } from "../../../lib/duration.ts";
import type { Prediction, PredictorName } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findAlert, writeAlert } from "./store.ts";

/** At most one alert of a predictor in this time. */
const QUIET_MS = hours(1);

type High = Exclude<Prediction, { status: "insufficient_data" }>;

function describe(prediction: High): { subject: string; message: string } {
  switch (prediction.predictor) {
    case "resource_anomaly":
      return {
        subject: prediction.metric,
        message: `${prediction.metric} is ${Math.abs(prediction.z_score).toFixed(1)} deviations ${prediction.z_score > 0 ? "above" : "below"} what this hour of the week usually brings.`,
      };
    case "capacity_forecast":
      return {
        subject: prediction.resource,
        message: `${prediction.resource} is at ${prediction.current_pct.toFixed(0)}% and will be full in about ${Math.ceil(prediction.days_until_full ?? 0)} days.`,
      };
    case "backup_health":
      return { subject: "backups", message: prediction.summary };
    case "app_health":
      return { subject: prediction.app_name, message: prediction.summary };
  }
}

/**
 * Tells of a predictor's high risks: once, and again only after it had none in between and an hour has gone by. Call it in
 * the transaction that stores the predictions.
 */
export function raiseAlerts(
  { db, clock, bus }: Pick<Needs, "db" | "clock" | "bus">,
  predictor: PredictorName,
  predictions: readonly Prediction[],
): void {
  const high = predictions.flatMap((one) => (one.status === "ok" && one.risk_level === "high" ? [one] : []));
  const last = findAlert(db, predictor);
  const [first] = high;
  if (!first) {
    if (last?.is_standing === 1) writeAlert(db, { ...last, is_standing: 0 });
    return;
  }
  const now = clock.now();
  // A clock that was set back must not silence it for years.
  const isRecent = last !== null && now >= last.raised_at && now - last.raised_at < QUIET_MS;
  if (last?.is_standing === 1 || isRecent) return;
  writeAlert(db, { predictor, risk_level: "high", raised_at: now, is_standing: 1 });
  const { subject, message } = describe(first);
  const others = high.length > 1 ? ` ${high.length - 1} more of this kind are on the Insights page.` : "";
  bus.emit("insight.raised", { predictor, subject, risk_level: "high", message: `${message}${others}` });
}

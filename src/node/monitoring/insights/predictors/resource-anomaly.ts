import { toIso } from "../../../../lib/clock.ts";
import { weeks } from "../../../../lib/duration.ts";
import { lengthInWords } from "../../../../lib/time-words.ts";
import { insufficient, type Predictor, round } from "../predictor.ts";

const MIN_WEEKS = 2;
const ANOMALY_Z = 3;

/** Why nothing can be judged, by the weeks that each metric has of the present hour. */
function explainLack(known: readonly number[]): string {
  const most = Math.max(0, ...known);
  if (most >= MIN_WEEKS) return "The last hour was not measured for the most part, so there is nothing to compare.";
  const seen = most === 1 ? "once so far" : "not measured yet";
  const wait = lengthInWords(weeks(MIN_WEEKS - most));
  return `Each hour of the week must have been measured twice; this one was ${seen}. Ready in about ${wait}.`;
}

/** Which metrics are not what this hour of the week usually brings. */
export const resourceAnomaly: Predictor = {
  name: "resource_anomaly",
  predict({ baselines }) {
    const all = baselines.judgeMetrics();
    const ready = all.flatMap(({ metric, weeks: known, score }) =>
      score && known >= MIN_WEEKS ? [{ metric, score }] : [],
    );
    if (ready.length === 0)
      return [insufficient("resource_anomaly", explainLack(all.map(({ weeks: known }) => known)))];
    return ready.map(({ metric, score }) => {
      const isUnusual = Math.abs(score.z) > ANOMALY_Z;
      return {
        predictor: "resource_anomaly" as const,
        status: "ok" as const,
        metric,
        z_score: round(score.z),
        baseline_mean: round(score.mean, 3),
        baseline_stddev: round(score.stddev, 3),
        // Past three deviations it is an anomaly by the book; past every gate it is one that people would call so.
        risk_level: score.is_past ? ("high" as const) : isUnusual ? ("medium" as const) : ("low" as const),
        detected_at: toIso(score.t),
      };
    });
  },
};

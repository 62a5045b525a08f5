import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { AppEvents } from "../../apps/apps/index.ts";
import { raiseAlerts } from "./alerts.ts";
import { type InsightQuery, type Insights, type Prediction, RISKS } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { predictors } from "./predictors/index.ts";
import * as store from "./store.ts";

type Deps = Pick<Needs, "db" | "series" | "clock" | "baselines" | "apps" | "lists" | "bus" | "config">;

const KEPT_HOURS = 8 * 24;

/** Runs all predictors, stores what they found and raises what is new and of high risk. */
export function scoreInsights(deps: Deps): void {
  const { db, clock } = deps;
  const now = clock.now();
  const scored_at = toIso(now);
  const found = predictors.map(({ name, predict }) => ({ predictor: name, predictions: predict(deps) }));
  db.tx(() => {
    for (const { predictor, predictions } of found) {
      store.writeRun(db, { predictor, scored_at, predictions: JSON.stringify(predictions) });
      if (deps.config.insights_alerts) raiseAlerts(deps, predictor, predictions);
    }
    store.forgetEnds(db, Math.floor(now / hours(1)) - KEPT_HOURS);
  });
}

function isAtLeast(prediction: Prediction, risk: (typeof RISKS)[number]): boolean {
  if (prediction.status === "insufficient_data") return risk === "low";
  return RISKS.indexOf(prediction.risk_level) >= RISKS.indexOf(risk);
}

/** What the predictors found when they last ran; they run now when they never did. */
export function readInsights(deps: Deps, { predictor, min_risk = "low" }: InsightQuery): Insights {
  if (store.listRuns(deps.db).length < predictors.length) scoreInsights(deps);
  const runs = new Map(store.listRuns(deps.db).map((run) => [run.predictor, run]));
  const wanted = predictors.flatMap(({ name }) => (predictor === undefined || name === predictor ? [name] : []));
  const predictions = wanted.flatMap((name): Prediction[] => JSON.parse(runs.get(name)?.predictions ?? "[]"));
  return {
    scored_at: runs.get(wanted[0] ?? "")?.scored_at ?? toIso(deps.clock.now()),
    predictions: predictions.filter((prediction) => isAtLeast(prediction, min_risk)),
  };
}

/** Counts the unexpected end of a service. */
export function countEnd({ db, clock }: Pick<Deps, "db" | "clock">, end: AppEvents["app.service_ended"]): void {
  const isCrash = end.is_oom || (end.exit_code ?? 0) !== 0;
  store.addEnds(db, end.app_id, Math.floor(clock.now() / hours(1)), {
    restarts: end.restarts,
    // Docker may have started it again, and it may have ended again, before anybody looked.
    crashes: isCrash ? Math.max(1, end.restarts) : 0,
    ooms: end.is_oom ? 1 : 0,
  });
}

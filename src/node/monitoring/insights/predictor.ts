import type { Prediction, PredictorName } from "./contract.ts";
import type { Needs } from "./needs.ts";

export type PredictorDeps = Pick<Needs, "db" | "series" | "clock" | "baselines" | "apps" | "lists">;

/** One way to look ahead. */
export interface Predictor {
  name: PredictorName;
  /** One prediction for each thing it can judge, or one that says why there is none. */
  predict(deps: PredictorDeps): Prediction[];
}

/** The answer without data. */
export const insufficient = (predictor: PredictorName, reason: string): Prediction => ({
  predictor,
  status: "insufficient_data",
  reason,
});

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;

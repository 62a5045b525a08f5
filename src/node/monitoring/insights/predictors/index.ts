/** Every predictor, in the order in which they are shown. */
import type { Predictor } from "../predictor.ts";
import { appHealth } from "./app-health.ts";
import { backupHealth } from "./backup-health.ts";
import { capacityForecast } from "./capacity-forecast.ts";
import { resourceAnomaly } from "./resource-anomaly.ts";

export const predictors: readonly Predictor[] = [resourceAnomaly, capacityForecast, backupHealth, appHealth];

import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { baselineRoutes } from "./contract.ts";
import { describeBaseline, predictMetric, recentAnomalies } from "./logic.ts";
import type { Own } from "./needs.ts";

/** What answers the routes of baselines. */
export const bindBaselineRoutes = (own: Own): BoundRoutes =>
  bindRoutes(baselineRoutes, {
    "GET /api/alerting/anomalies": ({ query }) => recentAnomalies(own, query),
    "GET /api/alerting/baselines": ({ query }) => describeBaseline(own, query.metric),
    "GET /api/alerting/predictions": ({ query }) => predictMetric(own, query.metric),
  });

import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { insightRoutes } from "./contract.ts";
import { forecastMetrics } from "./forecasts.ts";
import { readInsights } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of insights. */
export const bindInsightRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(insightRoutes, {
    "GET /api/insights/predictions": ({ query }) => readInsights(needs, query),
    "GET /api/system/metrics/predictions": () => forecastMetrics(needs),
  });

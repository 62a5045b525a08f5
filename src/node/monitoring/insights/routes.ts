import { Elysia } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { InsightQuery, Insights, MetricForecasts } from "./contract.ts";
import { forecastMetrics } from "./forecasts.ts";
import { readInsights } from "./logic.ts";

export const insightRoutes: NodeRoutes = (ctx) =>
  new Elysia()
    .use(ctx.guard)
    .get("/api/insights/predictions", ({ query }) => readInsights(ctx, query), {
      access: user("monitoring"),
      query: InsightQuery,
      response: Insights,
    })
    .get("/api/system/metrics/predictions", () => forecastMetrics(ctx), {
      access: user("monitoring"),
      response: MetricForecasts,
    });

import { Elysia, t } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { Anomaly, AnomalyQuery, Baseline, BaselineQuery, MetricPrediction } from "./contract.ts";
import { describeBaseline, predictMetric, recentAnomalies } from "./logic.ts";

export const baselineRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/alerting" })
    .use(ctx.guard)
    .get("/anomalies", ({ query }) => recentAnomalies(ctx, query), {
      access: user("alerts"),
      query: AnomalyQuery,
      response: t.Array(Anomaly),
    })
    .get("/baselines", ({ query }) => describeBaseline(ctx, query.metric), {
      access: user("alerts"),
      query: BaselineQuery,
      response: Baseline,
    })
    .get("/predictions", ({ query }) => predictMetric(ctx, query.metric), {
      access: user("alerts", { feature: "predictive_alerting" }),
      query: BaselineQuery,
      response: MetricPrediction,
    });

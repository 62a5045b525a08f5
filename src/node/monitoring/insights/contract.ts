import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

export const PREDICTORS = ["resource_anomaly", "capacity_forecast", "backup_health", "app_health"] as const;
export type PredictorName = (typeof PREDICTORS)[number];

/** From least to most. */
export const RISKS = ["low", "medium", "high"] as const;
const Risk = t.UnionEnum([...RISKS]);

const ok = { status: t.Literal("ok"), risk_level: Risk };

export const ResourceAnomaly = t.Object({
  predictor: t.Literal("resource_anomaly"),
  ...ok,
  metric: t.String(),
  z_score: t.Number(),
  baseline_mean: t.Number(),
  baseline_stddev: t.Number(),
  detected_at: t.String(),
});

export const CapacityForecast = t.Object({
  predictor: t.Literal("capacity_forecast"),
  ...ok,
  /** `disk:<mount point>`, `ram` or `cpu`. */
  resource: t.String(),
  /** Null when it will not be full within 60 days. */
  days_until_full: NullableNumber,
  current_pct: t.Number(),
  /** Points a day. */
  trend_slope: t.Number(),
  r_squared: t.Number(),
  forecast_date: NullableText,
});

export const BackupHealth = t.Object({
  predictor: t.Literal("backup_health"),
  ...ok,
  failure_rate_pct: t.Number(),
  consecutive_failures: t.Integer(),
  last_success_at: NullableText,
  summary: t.String(),
});

export const AppHealth = t.Object({
  predictor: t.Literal("app_health"),
  ...ok,
  app_name: t.String(),
  restarts_24h: t.Integer(),
  restarts_7d: t.Integer(),
  oom_kills_24h: t.Integer(),
  crashes_24h: t.Integer(),
  summary: t.String(),
});

/** Nothing but why there is nothing: never an invented number. */
export const Insufficient = t.Object({
  predictor: t.UnionEnum([...PREDICTORS]),
  status: t.Literal("insufficient_data"),
  reason: t.String(),
});

export const Prediction = t.Union([ResourceAnomaly, CapacityForecast, BackupHealth, AppHealth, Insufficient]);
export type Prediction = Static<typeof Prediction>;

export const InsightQuery = t.Object({
  // A UnionEnum would bring its first value as default.
  predictor: t.Optional(t.Union(PREDICTORS.map((name) => t.Literal(name)))),
  min_risk: t.Optional(t.Union(RISKS.map((risk) => t.Literal(risk)))),
});
export type InsightQuery = Static<typeof InsightQuery>;

export const Insights = t.Object({ scored_at: t.String(), predictions: t.Array(Prediction) });
export type Insights = Static<typeof Insights>;

const Status = t.UnionEnum(["ok", "insufficient_data"]);
const Measured = t.Object({ ts: t.String(), value: t.Number() });
const Forecast = t.Object({ ts: t.String(), value: t.Number(), low: t.Number(), high: t.Number() });

export const DiskForecast = t.Object({
  mount_point: t.String(),
  status: Status,
  /** Why there is no forecast. */
  reason: NullableText,
  current_percent: t.Number(),
  will_reach_90: t.Boolean(),
  /** 0 when it has, null when it will not within 60 days. */
  days_until_90: NullableNumber,
  reaches_90_at: NullableText,
  slope_per_day: NullableNumber,
  r_squared: NullableNumber,
  /** Daily means in percent, oldest first, and where the line goes from here. */
  points: t.Array(Measured),
  forecast: t.Array(Forecast),
});
export type DiskForecast = Static<typeof DiskForecast>;

export const ResourceForecast = t.Object({
  resource: t.UnionEnum(["cpu", "ram", "disk", "network"]),
  unit: t.UnionEnum(["percent", "bytes_per_second"]),
  status: Status,
  reason: NullableText,
  ready_at: NullableText,
  current: NullableNumber,
  /** Whether the line through the week explains it at least in part; else the next week is guessed to be like this one. */
  has_trend: t.Boolean(),
  trend_per_day: NullableNumber,
  r_squared: NullableNumber,
  /** Where the last 7 days lead in 7 days. */
  in_7_days: NullableNumber,
});
export type ResourceForecast = Static<typeof ResourceForecast>;

export const MetricForecasts = t.Object({
  generated_at: t.String(),
  disks: t.Array(DiskForecast),
  resources: t.Array(ResourceForecast),
});
export type MetricForecasts = Static<typeof MetricForecasts>;

export type InsightEvents = {
  /** A predictor sees a high risk that it did not see before; only with SERVICE_INSIGHTS_ALERTS. */
  "insight.raised": { predictor: PredictorName; subject: string; risk_level: "high"; message: string };
};

const access = user("monitoring");

export const insightRoutes = defineRoutes({
  "GET /api/insights/predictions": { access, query: InsightQuery, out: Insights },
  "GET /api/system/metrics/predictions": { access, out: MetricForecasts },
});
export type InsightsApi = ApiOf<typeof insightRoutes>;

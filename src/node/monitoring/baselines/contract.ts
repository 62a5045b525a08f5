import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

export const MetricStatus = t.UnionEnum(["ok", "insufficient_data"]);
/** By the distance from usual: above 3 critical, above 2 warning. */
export const Severity = t.UnionEnum(["normal", "warning", "critical"]);
export type Severity = Static<typeof Severity>;

const Metric = t.String({ minLength: 1, maxLength: 64 });

/** A time in which a metric was past everything usual; the figures are those of its furthest point. */
export const Anomaly = t.Object({
  id: t.String(),
  metric: t.String(),
  severity: Severity,
  z_score: t.Number(),
  value: t.Number(),
  baseline_mean: t.Number(),
  baseline_stddev: t.Number(),
  /** When the metric left the usual. */
  detected_at: t.String(),
  /** When it was furthest from it. */
  peak_at: t.String(),
  /** Null while it lasts. */
  ended_at: NullableText,
});
export type Anomaly = Static<typeof Anomaly>;

const AnomalyQuery = t.Object({
  metric: t.Optional(Metric),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
});

const BaselineQuery = t.Object({ metric: t.Optional(Metric) });

/** What an hour of the week usually looks like, UTC; null where nothing is known of it. */
export const BaselineSlot = t.Object({
  /** 1 is Monday, 7 Sunday. */
  weekday: t.Integer(),
  hour: t.Integer(),
  mean: NullableNumber,
  stddev: NullableNumber,
  /** Weeks that it comes from, eight at most. */
  weeks: t.Integer(),
});

export const CurrentScore = t.Object({
  at: t.String(),
  /** Mean of the last hour. */
  value: t.Number(),
  baseline_mean: t.Number(),
  baseline_stddev: t.Number(),
  z_score: t.Number(),
  severity: Severity,
});

export const Baseline = t.Object({
  metric: t.String(),
  title: t.String(),
  status: MetricStatus,
  /** Why there is nothing to say yet. */
  reason: NullableText,
  /** When there will be, if measuring goes on. */
  ready_at: NullableText,
  learned_hours: t.Integer(),
  current: Nullable(CurrentScore),
  slots: t.Array(BaselineSlot),
});
export type Baseline = Static<typeof Baseline>;

const unready = {
  metric: t.String(),
  title: t.String(),
  reason: t.String(),
  ready_at: NullableText,
};

/** What the line through the last 24 hours was worth: predictions made of the hours before against what came. */
export const Backtest = t.Object({
  runs: t.Integer(),
  mean_absolute_error: t.Number(),
  /** The same error of saying that nothing will change. */
  unchanged_error: t.Number(),
  /** Whether the line was better than that. */
  has_skill: t.Boolean(),
});
export type Backtest = Static<typeof Backtest>;

export const MetricPrediction = t.Union([
  t.Object({ ...unready, status: t.Literal("insufficient_data") }),
  t.Object({
    metric: t.String(),
    title: t.String(),
    status: t.Literal("ok"),
    generated_at: t.String(),
    current: t.Number(),
    /** One hour ahead. */
    predicted_at: t.String(),
    predicted: t.Number(),
    /** Twice the backtested error to both sides. */
    low: t.Number(),
    high: t.Number(),
    trend_per_hour: t.Number(),
    r_squared: t.Number(),
    backtest: Backtest,
    /** Means of quarters of an hour, oldest first. */
    points: t.Array(t.Object({ ts: t.String(), value: t.Number() })),
  }),
]);
export type MetricPrediction = Static<typeof MetricPrediction>;

export const fail = defineErrors({
  baseline_metric_unknown: [400, "There is no baseline of {metric}. There is one of each of: {known}."],
});

const access = user("alerts");

export const baselineRoutes = defineRoutes({
  "GET /api/alerting/anomalies": { access, query: AnomalyQuery, out: t.Array(Anomaly) },
  "GET /api/alerting/baselines": { access, query: BaselineQuery, out: Baseline },
  "GET /api/alerting/predictions": {
    access: user("alerts", { feature: "predictive_alerting" }),
    query: BaselineQuery,
    out: MetricPrediction,
  },
});
export type BaselinesApi = ApiOf<typeof baselineRoutes>;

import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { member, user } from "../../access.ts";

/** Prices in `currency` for one processor core, one GB (2^30 bytes) of memory and one of disk, each for an hour. */
const rates = {
  cpu_core_hour: t.Number({ minimum: 0, maximum: 1_000_000 }),
  memory_gb_hour: t.Number({ minimum: 0, maximum: 1_000_000 }),
  disk_gb_hour: t.Number({ minimum: 0, maximum: 1_000_000 }),
  currency: t.String({ pattern: "^[A-Z]{3}$", description: "must be three capital letters, such as EUR" }),
};
/** True as long as a rate is the one that every server begins with: then the figures are examples, not anybody's bill. */
const defaults = { rates_are_defaults: t.Boolean() };
export const CostSettings = t.Object({ ...rates, ...defaults });
export type CostSettings = Static<typeof CostSettings>;

/** What is left out stays as it is. */
export const CostSettingsInput = t.Partial(t.Object(rates));
export type CostSettingsInput = Static<typeof CostSettingsInput>;

const split = { cost: t.Number(), cpu_cost: t.Number(), memory_cost: t.Number(), disk_cost: t.Number() };

export const AppCost = t.Object({
  app_id: t.String(),
  app_name: t.String(),
  /** False when it has been uninstalled since. */
  installed: t.Boolean(),
  ...split,
  cpu_core_hours: t.Number(),
  memory_gb_hours: t.Number(),
  disk_gb_hours: t.Number(),
  share_percent: t.Number(),
});
export type AppCost = Static<typeof AppCost>;

export const CostSummary = t.Object({
  currency: t.String(),
  ...defaults,
  /** The last 30 days, or less when measuring began later. */
  from: t.String(),
  to: t.String(),
  /** Hours of it that were measured. */
  measured_hours: t.Number(),
  total: t.Number(),
  cpu_cost: t.Number(),
  memory_cost: t.Number(),
  disk_cost: t.Number(),
  /** What a month costs if all goes on as in the measured hours; null below 24 of them. */
  monthly_estimate: NullableNumber,
  /** The ten dearest, dearest first. */
  top_apps: t.Array(AppCost),
});
export type CostSummary = Static<typeof CostSummary>;

const TrendQuery = t.Object({ period: t.Optional(t.Union([t.Literal("7d"), t.Literal("30d")])) });

export const CostTrends = t.Object({
  currency: t.String(),
  ...defaults,
  period: t.String(),
  /** One for each day, UTC; null where nothing was measured. */
  points: t.Array(
    t.Object({
      date: t.String(),
      total: NullableNumber,
      cpu_cost: NullableNumber,
      memory_cost: NullableNumber,
      disk_cost: NullableNumber,
    }),
  ),
  total: t.Number(),
  /** The later half of the closed days against the earlier half; null when a day is missing. */
  change_percent: NullableNumber,
});
export type CostTrends = Static<typeof CostTrends>;

export const Recommendation = t.Object({
  id: t.String(),
  kind: t.UnionEnum(["idle", "right_size", "scale_to_zero"]),
  app_id: t.String(),
  app_name: t.String(),
  title: t.String(),
  /** What was seen that speaks for it. */
  reason: t.String(),
  /** In `currency`. */
  saving_per_month: t.Number(),
  /** Share of the time looked at that was measured. */
  coverage_percent: t.Number(),
  how_to_apply: t.Object({
    text: t.String(),
    /** Lines for the server's shell or crontab. */
    commands: t.Array(t.String()),
    /** Page of the dashboard where it is done; null when there is none. */
    path: NullableText,
  }),
});
export type Recommendation = Static<typeof Recommendation>;

export const CostRecommendations = t.Object({
  generated_at: t.String(),
  currency: t.String(),
  ...defaults,
  saving_per_month: t.Number(),
  recommendations: t.Array(Recommendation),
  /** Apps about which nothing can be said yet. */
  insufficient_data: t.Array(t.Object({ app_id: t.String(), app_name: t.String(), reason: t.String() })),
});
export type CostRecommendations = Static<typeof CostRecommendations>;

export const fail = defineErrors({
  cost_settings_empty: [400, "Name at least one rate or the currency to change."],
});

const gate = { feature: "cost_optimization" };
const access = user("monitoring", gate);

export const costRoutes = defineRoutes({
  "GET /api/cost/summary": { access, out: CostSummary },
  "GET /api/cost/trends": { access, query: TrendQuery, out: CostTrends },
  "GET /api/cost/recommendations": { access, out: CostRecommendations },
  "GET /api/cost/settings": { access, out: CostSettings },
  "PUT /api/cost/settings": { access: member("settings", gate), body: CostSettingsInput, out: CostSettings },
});
export type CostApi = ApiOf<typeof costRoutes>;

import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { NODE_PLANS } from "../../../shared/plans/index.ts";
import { user } from "../../access.ts";

const Plan = t.UnionEnum([...NODE_PLANS]);

export const PlanOverview = t.Object({
  current: Plan,
  /** Who says so: the panel's license, or this server's own configuration. */
  from: t.Union([t.Literal("panel"), t.Literal("configuration")]),
  apps_installed: t.Integer(),
  /** From the smallest to the largest. */
  plans: t.Array(
    t.Object({
      plan: Plan,
      /** Null: as many as you like. */
      app_limit: Nullable(t.Integer()),
      /** What it has besides what every plan has. */
      features: t.Array(t.Object({ feature: t.String(), title: t.String() })),
    }),
  ),
});
export type PlanOverview = Static<typeof PlanOverview>;

export const planRoutes = defineRoutes({ "GET /api/plans": { access: user("settings"), out: PlanOverview } });
export type PlansApi = ApiOf<typeof planRoutes>;

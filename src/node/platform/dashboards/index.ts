/** Dashboards: the arrangement of each user's home page, guarded against two tabs overwriting each other. */
import { Elysia } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { user } from "../../access.ts";
import type { NodeContext } from "../../context.ts";
import { Dashboard, DashboardInput, DashboardQuery, DashboardSaved, fail } from "./contract.ts";
import { readDashboard, writeDashboard } from "./logic.ts";
import init from "./migrations/0001_dashboards.sql" with { type: "text" };

export const dashboards = defineContextFeature<NodeContext>({
  name: "dashboards",
  migrations: [init],
  errors: fail.table,
  routes: (ctx) =>
    new Elysia({ prefix: "/api/profile/dashboard" })
      .use(ctx.guard)
      .get("", ({ actor, query }) => readDashboard(ctx, actor.user_id, query.type), {
        access: user(),
        query: DashboardQuery,
        response: Dashboard,
      })
      .put("", ({ actor, query, body }) => writeDashboard(ctx, actor.user_id, query.type, body), {
        access: user(),
        query: DashboardQuery,
        body: DashboardInput,
        response: DashboardSaved,
      }),
});

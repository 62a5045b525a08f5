/** Dashboards: the arrangement of each user's home page, guarded against two tabs overwriting each other. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { NodeBase } from "../../base.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_dashboards.sql" with { type: "text" };
import { bindDashboardRoutes } from "./routes.ts";

export const dashboardsFeature = defineFeature({ name: "dashboards", migrations: [init], errors: fail.table });

export const createDashboards = (needs: NodeBase): Part => ({
  feature: dashboardsFeature,
  routes: [bindDashboardRoutes(needs)],
});

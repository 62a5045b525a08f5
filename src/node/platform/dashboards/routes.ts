import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { NodeBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { dashboardRoutes } from "./contract.ts";
import { readDashboard, writeDashboard } from "./logic.ts";

/** What answers the routes of dashboards. */
export const bindDashboardRoutes = (needs: NodeBase): BoundRoutes =>
  bindRoutes(dashboardRoutes, {
    "GET /api/profile/dashboard": ({ actor, query }) => readDashboard(needs, actor.user_id, query.type),
    "PUT /api/profile/dashboard": ({ actor, query, body }) => writeDashboard(needs, actor.user_id, query.type, body),
  });

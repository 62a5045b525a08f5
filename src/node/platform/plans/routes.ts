import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { NodeBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { planRoutes } from "./contract.ts";
import { readPlans } from "./logic.ts";

/** What answers the routes of plans. */
export const bindPlanRoutes = (needs: NodeBase): BoundRoutes =>
  bindRoutes(planRoutes, { "GET /api/plans": () => readPlans(needs) });

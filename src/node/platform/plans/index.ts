/** Plans: which plan this node is on, who decides it, and what each plan includes. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { NodeBase } from "../../base.ts";
import { decidePlan } from "./logic.ts";
import { bindPlanRoutes } from "./routes.ts";

export const plansFeature = defineFeature({ name: "plans" });

export interface Plans extends Part {
  /** The plan in force. */
  plan(): NodePlan;
}

export const createPlans = (needs: NodeBase): Plans => ({
  feature: plansFeature,
  routes: [bindPlanRoutes(needs)],
  plan: () => decidePlan(needs).plan,
});

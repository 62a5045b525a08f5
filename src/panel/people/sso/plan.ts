import { PLANS, planOf } from "../../plans.ts";
import { tenantFail } from "../tenants/index.ts";

/** The smallest plan with single sign-on. */
export const REQUIRED_PLAN = "business";

/** Whether a stored plan includes it. Without, nothing new can be set up; what is on goes on. */
export const includesSso = (stored: string | null): boolean =>
  PLANS.indexOf(planOf(stored ?? "")) >= PLANS.indexOf(REQUIRED_PLAN);

/** Throws `upgrade_required` for a plan without it. */
export function requirePlan(stored: string | null): void {
  if (includesSso(stored)) return;
  throw tenantFail("upgrade_required", {
    what: "Single sign-on is",
    ...{ feature: "sso", required_plan: REQUIRED_PLAN, current_plan: planOf(stored ?? "") },
  });
}

import { tenantFail } from "../../people/tenants/index.ts";
import { PLANS, planOf } from "../../plans.ts";

/** The smallest plan with rollouts. */
export const REQUIRED_PLAN = "business";

/** Whether a stored plan includes rollouts. */
export const includesRollouts = (stored: string | null): boolean =>
  PLANS.indexOf(planOf(stored ?? "")) >= PLANS.indexOf(REQUIRED_PLAN);

/** Why a plan leaves them out, in words; null when it does not. */
export const hindranceOf = (stored: string | null): string | null =>
  includesRollouts(stored)
    ? null
    : `Staged rollouts are part of the plan ${REQUIRED_PLAN}; this is ${planOf(stored ?? "")}.`;

/** The refusal of a plan without them. */
export const planRefusal = (stored: string | null) =>
  tenantFail("upgrade_required", {
    what: "Staged rollouts are",
    ...{ feature: "staged_rollouts", required_plan: REQUIRED_PLAN },
    current_plan: planOf(stored ?? ""),
  });

import type { PanelContext } from "../../context.ts";
import type { Plan } from "../../plans.ts";
import { recordSystemAudit } from "../../platform/audit/index.ts";
import { updatePlan } from "./store.ts";

/** Puts a workspace on another plan; gives the former one, or null when there is no such workspace. */
export function changePlan(
  deps: Pick<PanelContext, "system" | "clock" | "ids">,
  tenantId: string,
  plan: Plan,
): Promise<string | null> {
  return deps.system.tx(async (tx) => {
    const former = await updatePlan(tx, tenantId, plan);
    if (former === null || former === plan) return former;
    const who = { by: "operator", tenant_id: tenantId, subject_id: tenantId, ip: "" } as const;
    await recordSystemAudit({ ...deps, tx }, who, "workspace.plan", { plan, previous: former });
    return former;
  });
}

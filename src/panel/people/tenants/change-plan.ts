import { byOperator } from "../../event-meaning.ts";
import type { Plan } from "../../plans.ts";
import type { Needs } from "./needs.ts";
import { updatePlan } from "./store.ts";

/** Puts a workspace on another plan; gives the former one, or null when there is no such workspace. */
export function changePlan(deps: Pick<Needs, "system" | "bus">, tenantId: string, plan: Plan): Promise<string | null> {
  return deps.system.tx(async (tx) => {
    const former = await updatePlan(tx, tenantId, plan);
    if (former === null || former === plan) return former;
    await deps.bus.emit(tx, "workspace.plan", { by: byOperator(tenantId), plan, previous: former });
    return former;
  });
}

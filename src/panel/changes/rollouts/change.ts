import { holds } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { fail, type RolloutDetail } from "./contract.ts";
import type { Action } from "./engine/model.ts";
import type { Follow } from "./follow.ts";
import { planRefusal } from "./included.ts";
import type { Needs } from "./needs.ts";
import { getRollout } from "./present.ts";

type Deps = Pick<Needs, "system" | "clock" | "live" | "tenants" | "bus" | "lists"> & {
  follow: Follow;
};
type Kind = Exclude<Action["kind"], "look">;

/**
 * Does what a member decides about a rollout. Throws `rollout_not_found`, `rollout_state`, `rollout_legacy`, `rollout_under_way`,
 * `upgrade_required`.
 */
export async function changeRollout(
  deps: Deps,
  actor: Actor,
  ip: string,
  { id, kind, reason }: { id: string; kind: Kind; reason: string | null },
): Promise<RolloutDetail> {
  const action = actionOf(actor, kind, reason);
  const by = byMember(actor, ip);
  const doer = { by, member_id: actor.member_id, comment: reason };
  const done = await deps.follow(deps.system.by(actor), {
    ...{ tenant_id: actor.tenant_id, id, action, doer },
    onStep: (tx, { name }) => deps.bus.emit(tx, `fleet.rollout.${kind}`, { by, rollout_id: id, name, reason }),
  });
  if (!done) throw fail("rollout_not_found", { id });
  if ("refused" in done) {
    if (done.refused === "plan") throw planRefusal(await deps.tenants.findPlan(actor.tenant_id));
    if (done.refused === "legacy") throw fail("rollout_legacy");
    if (done.refused === "last_stage") throw fail("rollout_under_way");
    throw fail("rollout_state", { state: done.state, action: kind });
  }
  return getRollout(deps, actor, id, false);
}

function actionOf({ role }: Actor, kind: Kind, text: string | null): Action {
  if (kind === "pause") return { kind, text };
  // As for a command that has a node go back: whoever may do everything to it may do that from any release.
  return kind === "rollback" ? { kind, text, from_any_version: holds(role, "fleet:shell") } : { kind };
}

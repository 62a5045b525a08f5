import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { requireEntry } from "../sessions/index.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { type Deleted, fail, type Workspace } from "./contract.ts";
import { enter, entered, inReachOf } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { presentWorkspace } from "./present.ts";
import { countHeld, markDeleted, renameTenant } from "./store.ts";
import { takeAwayOrLeave } from "./take-away.ts";
import { findWaiting } from "./waiting.ts";

/**
 * The caller's membership in a workspace, which asks the same of them as if they were in it. Throws `workspace_not_found`,
 * `workspace_not_active`, `sso_required`, `mfa_enrollment_required`, `workspace_role_missing`.
 */
function ownMembership(
  memberships: readonly MembershipRow[],
  id: string,
  roles: readonly MembershipRow["role"][],
): MembershipRow {
  const found = memberships.find((row) => row.tenant_id === id && row.member_status === "active");
  if (!found) throw fail("workspace_not_found", { id });
  if (found.tenant_status === "suspended") throw fail("workspace_not_active", { name: found.tenant_name });
  requireEntry(found);
  if (!roles.includes(found.role)) throw fail("workspace_role_missing", { name: found.tenant_name });
  return found;
}

/** Gives a workspace another name. Throws as `ownMembership`. */
export async function renameWorkspace(
  needs: Needs,
  actor: Actor,
  ip: string,
  id: string,
  name: string,
): Promise<Workspace> {
  const row = await needs.system.by(actor).tx(async (tx) => {
    const memberships = await needs.tenants.listMemberships(actor.account_id, tx);
    const found = ownMembership(inReachOf(actor, memberships), id, ["org_owner", "org_admin"]);
    await renameTenant(tx, id, name);
    await needs.bus.emit(tx, "workspace.rename", { by: byMember(found, ip), name, previous: found.tenant_name });
    return { ...found, tenant_name: name };
  });
  for (const { rename } of needs.lists.holdings.all()) await rename?.({ id, parentId: row.parent_tenant_id, name });
  return presentWorkspace(row, actor.tenant_id, (await findWaiting(needs, [row]))(id));
}

/** The workspace that the caller may delete as far as they are in it, and their others. Throws as `deleteWorkspace`. */
async function requireDeletable({ tenants }: Pick<Needs, "tenants">, tx: SystemTx, actor: Actor, id: string) {
  const memberships = await tenants.listMemberships(actor.account_id, tx);
  const found = ownMembership(inReachOf(actor, memberships), id, ["org_owner"]);
  const others = memberships.filter((row) => row.tenant_id !== id && row.member_status === "active");
  if (others.length === 0) throw fail("last_workspace");
  return { found, others };
}

/** Throws `workspace_in_use`. */
async function requireEmpty({ tenants, lists }: Pick<Needs, "tenants" | "lists">, tx: SystemTx, id: string) {
  const held = { clients: await tenants.countClients(tx, id), ...(await countHeld(tx, lists.holdings.all(), id)) };
  if (Object.values(held).some((count) => count > 0)) throw fail("workspace_in_use", held);
}

/**
 * Deletes a workspace with everything in it, its audit log too; it must have no nodes and no clients any more. It is gone for everybody
 * with one small transaction, and its rows go after that in parts. Whoever was in it goes on in the one they used last. Throws as
 * `ownMembership`, and `last_workspace`, `workspace_in_use`, `step_up_required`.
 */
export async function deleteWorkspace(needs: Needs, actor: Actor, ip: string, id: string): Promise<Deleted> {
  const { tenants } = needs;
  const moved = await needs.system.by(actor).tx(async (tx) => {
    // Whoever may not delete it keeps nobody from changing it either.
    await requireDeletable(needs, tx, actor, id);
    await tenants.lockAccount(tx, actor.account_id);
    await tenants.lockMembers(tx, id);
    const { found, others } = await requireDeletable(needs, tx, actor, id);
    await requireEmpty(needs, tx, id);
    await needs.factors.requireFreshProof(tx, actor);
    const next = actor.is_wsl ? undefined : others.find(({ tenant_status }) => tenant_status === "active");
    // Before the workspace goes: the session that is replaced goes with it.
    const there =
      id === actor.tenant_id && next ? await enter(needs, tx, { ...actor, ip }, next, next.tenant_id) : null;
    // Last of all, as everybody waits for it: what came since is counted too, and nothing comes until the mark stands.
    for (const { keepStill } of needs.lists.holdings.all()) await keepStill?.(tx);
    await requireEmpty(needs, tx, id);
    await markDeleted(tx, id, needs.clock.now());
    needs.accessEnds.ended(tx, id);
    // Its own log is gone with it; the service provider's is not, and the operator's is not.
    const told = { workspace_id: id, name: found.tenant_name };
    if (found.parent_tenant_id !== null) {
      const by = { ...byMember(found, ip), tenant_id: found.parent_tenant_id };
      await needs.bus.emit(tx, "workspace.delete", { by, ...told });
    }
    tx.afterCommit(() => needs.log.info("a workspace was deleted", { ...told, account_id: actor.account_id }));
    return there;
  });
  // In the doer's share, whatever becomes of what let them in: it is deleted by now.
  await takeAwayOrLeave(needs, needs.system.onBehalfOf([actor.tenant_id, actor.account_id]), id);
  const answer: Deleted = { status: "deleted", workspace_id: id };
  if (id !== actor.tenant_id) return answer;
  return moved ? { ...answer, ...(await entered(needs, moved)) } : { ...answer, reauth_required: true };
}

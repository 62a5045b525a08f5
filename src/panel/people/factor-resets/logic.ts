import type { Limiter } from "../../../kernel/http/limit.ts";
import { assertNoWait } from "../../../kernel/http/too-many-requests.ts";
import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import { holds } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { type By, byMember, byOperator } from "../../event-meaning.ts";
import { type MembershipRow, tenantFail } from "../tenants/index.ts";
import { type FactorReset, type FactorResetBegun, fail, type OwnFactorReset, type Stopped } from "./contract.ts";
import { tellByMail } from "./letters.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** As long as the member and the owners have to stop what somebody else talked an admin into. */
const DELAY_MS = hours(24);
const LISTED_MAX = 1000;
const BATCH = 50;

const momentsOf = ({ asker, asked_at, effective_at }: store.ToldReset) => ({
  asked_by: asker,
  asked_at: toIso(asked_at),
  effective_at: toIso(effective_at),
});

/** Resets that are under way in the caller's workspace. */
export async function listResets(actor: Actor): Promise<{ resets: FactorReset[] }> {
  const rows = await store.listResets(actor.db, LISTED_MAX);
  return {
    resets: rows.map((row) => ({
      member_id: row.member_id,
      display_name: row.display_name,
      email: row.email,
      ...momentsOf(row),
    })),
  };
}

/** Resets of the caller's own factors, wherever somebody asked for them. */
export async function listOwnResets(
  { system }: Pick<Needs, "system">,
  actor: Actor,
): Promise<{ resets: OwnFactorReset[] }> {
  const rows = await store.listResetsOf(system.by(actor), actor.account_id);
  return { resets: rows.map((row) => ({ workspace: row.workspace, ...momentsOf(row) })) };
}

/** True when this member may take the factors off that account. Owners are for owners, staff for whoever runs the panel. */
async function isAllowed(tx: SystemTx, asker: MembershipRow, member: MembershipRow): Promise<boolean> {
  if (asker.member_status !== "active" || !holds(asker.role, "users:manage")) return false;
  if (member.role === "org_owner" && asker.role !== "org_owner") return false;
  if (member.global_role !== null) return false;
  return !(await store.isElsewhere(tx, member.account_id, member.tenant_id, asker.account_id));
}

/** Whether somebody is the one who comes in without an enforced sign-on, somewhere: with the passphrase alone they could not. */
async function isExempt({ tenants }: Pick<Needs, "tenants">, tx: SystemTx, accountId: string): Promise<boolean> {
  return (await tenants.listMemberships(accountId, tx)).some(({ is_exempt }) => is_exempt === 1);
}

/** The member whose factors the caller may have taken off. Throws as `beginReset`. */
async function requireResettable(
  needs: Needs & { begun: Limiter },
  tx: SystemTx,
  actor: Actor,
  id: string,
): Promise<MembershipRow> {
  const member = await needs.tenants.findMembership(actor.tenant_id, id, tx);
  if (member?.member_status !== "active") throw fail("reset_member_not_found", { id });
  if (id === actor.member_id) throw fail("reset_own_factor");
  const asker = await needs.tenants.findMembership(actor.tenant_id, actor.member_id, tx);
  if (!asker || (member.role === "org_owner" && asker.role !== "org_owner")) throw fail("reset_owner_required");
  const { display_name: name, email } = member;
  if (member.has_factor === 0) throw fail("reset_without_factor", { name });
  if (await isExempt(needs, tx, member.account_id)) throw tenantFail("break_glass_kept", { name });
  if (!(await isAllowed(tx, asker, member))) throw fail("reset_other_workspace", { name, email });
  const before = await store.findReset(tx, actor.tenant_id, id);
  if (before) throw fail("reset_under_way", { name, effective_at: toIso(before.effective_at) });
  await needs.factors.requireFreshProof(tx, actor);
  assertNoWait(needs.begun.check(member.account_id));
  return member;
}

/**
 * Begins a reset, which takes effect after a day. Throws `reset_member_not_found`, `reset_own_factor`, `reset_owner_required`,
 * `reset_without_factor`, `break_glass_kept`, `reset_other_workspace`, `reset_under_way`, `step_up_required`; `too_many_requests` where
 * `begun` has counted too many for the member's account.
 */
export function beginReset(
  needs: Needs & { begun: Limiter },
  actor: Actor,
  ip: string,
  id: string,
): Promise<FactorResetBegun> {
  const { tenants, clock, begun } = needs;
  return needs.system.by(actor).tx(async (tx) => {
    // Whoever may not begin one keeps nobody from changing the account, which may be in other workspaces too.
    const seen = await requireResettable(needs, tx, actor, id);
    await tenants.lockAccount(tx, seen.account_id);
    const member = await requireResettable(needs, tx, actor, id);
    const { display_name: name, role } = member;
    tx.afterCommit(() => begun.take(member.account_id));
    const asked_at = clock.now();
    const row = { tenant_id: actor.tenant_id, member_id: id, account_id: member.account_id, asked_by: actor.member_id };
    const effective_at = asked_at + DELAY_MS;
    await store.insertReset(tx, { ...row, asked_at, effective_at });
    const told = { member_id: id, name, role, effective_at: toIso(effective_at) };
    await needs.bus.emit(tx, "team.factor_reset", { by: byMember(actor, ip), ...told });
    const reset = await store.findReset(tx, actor.tenant_id, id);
    if (reset) await tellByMail(needs, tx, "begun", reset);
    return { member_id: id, effective_at: toIso(effective_at), by_mail: needs.mail.missing().length === 0 };
  });
}

async function stop(
  needs: Needs,
  tx: SystemTx,
  reset: store.ToldReset,
  by: By,
  end: "stopped" | "void",
): Promise<void> {
  const member = await needs.tenants.findMembership(reset.tenant_id, reset.member_id, tx);
  await store.deleteReset(tx, reset.tenant_id, reset.member_id);
  const { member_id, display_name: name } = reset;
  const role = member?.role ?? "org_teacher";
  await needs.bus.emit(tx, "team.factor_reset_stop", { by, member_id, name, role, end });
  await tellByMail(needs, tx, end, reset);
}

/** Stops a reset of somebody in the caller's workspace. Throws `reset_not_found`. */
export function stopReset(needs: Needs, actor: Actor, ip: string, id: string): Promise<Stopped> {
  return needs.system.by(actor).tx(async (tx) => {
    const seen = await store.findReset(tx, actor.tenant_id, id);
    if (seen) await needs.tenants.lockAccount(tx, seen.account_id);
    const reset = seen && (await store.findReset(tx, actor.tenant_id, id));
    if (!reset) throw fail("reset_not_found", { id });
    await stop(needs, tx, reset, byMember(actor, ip), "stopped");
    return { status: "stopped" as const, count: 1 };
  });
}

/** Stops every reset of the caller's own factors. */
export function stopOwnResets(needs: Needs, actor: Actor, ip: string): Promise<Stopped> {
  return needs.system.by(actor).tx(async (tx) => {
    await needs.tenants.lockAccount(tx, actor.account_id);
    const resets = await store.listResetsOf(tx, actor.account_id);
    for (const reset of resets) {
      const { tenant_id, member_id, account_id } = reset;
      await stop(needs, tx, reset, byMember({ tenant_id, member_id, account_id }, ip), "stopped");
    }
    return { status: "stopped" as const, count: resets.length };
  });
}

/** Takes the factors off whose day is over, unless that is not allowed any more by what has happened since. */
export async function applyResets(needs: Needs, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await store.listDue(needs.system, needs.clock.now(), BATCH);
    for (const { tenant_id, member_id } of due) await applyReset(needs, tenant_id, member_id);
    if (due.length < BATCH) return;
  }
}

function applyReset(needs: Needs, tenantId: string, memberId: string): Promise<void> {
  const { tenants } = needs;
  return needs.system.tx(async (tx) => {
    const seen = await store.findReset(tx, tenantId, memberId);
    if (seen) await tenants.lockAccount(tx, seen.account_id);
    const reset = seen && (await store.findReset(tx, tenantId, memberId));
    if (!reset || reset.effective_at > needs.clock.now()) return;
    const member = await tenants.findMembership(tenantId, memberId, tx);
    const asker = await tenants.findMembership(tenantId, reset.asked_by, tx);
    // Nobody of a suspended workspace could have stopped it, but the member.
    const isOpen = member?.member_status === "active" && member.tenant_status === "active";
    const isGood = isOpen && asker !== null && (await isAllowed(tx, asker, member));
    if (!member || !asker || !isGood || (await isExempt(needs, tx, reset.account_id)))
      return stop(needs, tx, reset, byOperator(tenantId), "void");
    // Those of other workspaces of the asker have nothing left to take off.
    await store.deleteResetsOf(tx, reset.account_id);
    await needs.factors.takeFactors(tx, reset.account_id);
    const by = byMember({ tenant_id: tenantId, member_id: asker.member_id, account_id: asker.account_id }, "");
    const told = { member_id: memberId, name: reset.display_name, role: member.role };
    await needs.bus.emit(tx, "team.factor_reset_done", { by, ...told });
    await tellByMail(needs, tx, "done", reset);
  });
}

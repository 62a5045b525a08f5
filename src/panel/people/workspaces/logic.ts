import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { clientLimitOf, planOf } from "../../plans.ts";
import { requireWholeAccount, throughWorkspace } from "../sessions/index.ts";
import { type MembershipRow, tenantFail } from "../tenants/index.ts";
import { type Entered, fail, type Left, type WorkspaceInput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { presentWorkspace } from "./present.ts";
import { findWaiting } from "./waiting.ts";

/** How many workspaces one account may be in. */
const MAX_WORKSPACES = 100;
/** How many of them it may own, clients of others among them not counted. */
const MAX_OWN = 20;

/**
 * Memberships as a session has them: one that a workspace's own sign-in began knows that workspace alone, and has what it asks of whoever
 * comes in.
 */
export const inReachOf = ({ is_wsl, tenant_id }: Actor, rows: readonly MembershipRow[]): readonly MembershipRow[] =>
  is_wsl ? rows.filter((row) => row.tenant_id === tenant_id).map(throughWorkspace) : rows;

/** The caller's memberships in the workspaces that they may enter, the one used last first. */
export async function listOwn({ tenants }: Pick<Needs, "tenants">, actor: Actor): Promise<MembershipRow[]> {
  const rows = await tenants.listMemberships(actor.account_id);
  return inReachOf(actor, rows).filter(({ member_status }) => member_status === "active");
}

/** Every workspace the caller may enter, with what waits there. */
export async function listWorkspaces(needs: Pick<Needs, "tenants" | "system" | "lists">, actor: Actor) {
  const open = await listOwn(needs, actor);
  const waiting = await findWaiting({ ...needs, system: needs.system.by(actor) }, open);
  return {
    current_id: actor.tenant_id,
    workspaces: open.map((row) => presentWorkspace(row, actor.tenant_id, waiting(row.tenant_id))),
  };
}

/**
 * Makes a workspace and takes the caller there. Throws `not_an_msp`, `too_many_workspaces`, `too_many_own_workspaces`,
 * `too_many_clients`, `session_replaced`, `reauth_required`, `too_many_requests`.
 */
export async function addWorkspace(needs: Needs, actor: Actor, ip: string, input: WorkspaceInput): Promise<Entered> {
  requireWholeAccount(actor);
  const accountId = actor.account_id;
  const knownSince = await needs.tenants.findAccountSince(accountId);
  const takeBack = needs.registration.growth.take({ ip, accountId, knownSince });
  try {
    return await entered(needs, await makeWorkspace(needs, actor, ip, input));
  } catch (error) {
    takeBack();
    throw error;
  }
}

function makeWorkspace(needs: Needs, actor: Actor, ip: string, input: WorkspaceInput): Promise<Moved> {
  const { tenants } = needs;
  return needs.system.by(actor).tx(async (tx) => {
    await tenants.lockAccount(tx, actor.account_id);
    await requireRoom(needs, tx, actor.account_id, input.as_client ? actor.tenant_id : null);
    const made = await tenants.createWorkspace(tx, actor.account_id, {
      name: input.name,
      mode: input.mode ?? null,
      parent_tenant_id: input.as_client ? actor.tenant_id : null,
    });
    const member = await tenants.findMembership(made.tenant_id, made.member_id, tx);
    const created = { workspace_id: made.tenant_id, name: input.name };
    await needs.bus.emit(tx, "workspace.create", {
      by: byMember({ ...made, account_id: actor.account_id }, ip),
      ...created,
    });
    if (input.as_client) await needs.bus.emit(tx, "workspace.create", { by: byMember(actor, ip), ...created });
    return enter(needs, tx, { ...actor, ip }, member, made.tenant_id);
  });
}

/** Throws when an account may not make one more workspace, a client of `mspId` if that is not null. */
async function requireRoom(
  { tenants }: Pick<Needs, "tenants">,
  tx: SystemTx,
  accountId: string,
  mspId: string | null,
): Promise<void> {
  const memberships = await tenants.listMemberships(accountId, tx);
  if (memberships.length >= MAX_WORKSPACES) throw fail("too_many_workspaces", { limit: MAX_WORKSPACES });
  if (mspId === null) {
    const own = memberships.filter(({ role, parent_tenant_id }) => role === "org_owner" && parent_tenant_id === null);
    if (own.length >= MAX_OWN) throw fail("too_many_own_workspaces", { limit: MAX_OWN });
    return;
  }
  requireMsp(memberships, mspId);
  // Two of its admins may add one at the same time, and one of its owners may delete it.
  await tenants.lockMembers(tx, mspId);
  const plan = planOf(requireMsp(await tenants.listMemberships(accountId, tx), mspId).plan);
  if ((await tenants.countClients(tx, mspId)) >= clientLimitOf(plan))
    throw fail("too_many_clients", { plan, limit: clientLimitOf(plan) });
}

/** The membership of somebody who may add clients there. Throws `not_an_msp`. */
function requireMsp(memberships: readonly MembershipRow[], mspId: string): MembershipRow {
  const msp = memberships.find(({ tenant_id }) => tenant_id === mspId);
  if (!msp || !mayAddClients(msp)) throw fail("not_an_msp");
  return msp;
}

function mayAddClients({ mode, role }: MembershipRow): boolean {
  return mode === "msp" && ["org_owner", "org_admin"].includes(role);
}

/** A session that has just begun in a workspace. */
export interface Moved {
  member: MembershipRow;
  sessionId: string;
}

/** Who goes to another workspace, and from where. */
type Visitor = Pick<Actor, "tenant_id" | "session_id"> & { ip: string };

/** Begins a session in another workspace of somebody, in the transaction of what takes them there. */
export async function enter(
  needs: Needs,
  tx: SystemTx,
  actor: Visitor,
  member: MembershipRow | null | undefined,
  id: string,
): Promise<Moved> {
  if (!member) throw fail("workspace_not_found", { id });
  if (member.member_status === "disabled") throw fail("access_disabled", { name: member.tenant_name });
  if (member.tenant_status === "suspended") throw fail("workspace_not_active", { name: member.tenant_name });
  const sessionId = await needs.sessions.moveSession(tx, actor, member);
  await needs.bus.emit(tx, "account.enter", { by: byMember(member, actor.ip) });
  return { member, sessionId };
}

/** What somebody who was taken to another workspace is told. */
export async function entered(
  needs: Pick<Needs, "sessions" | "system" | "lists">,
  { member, sessionId }: Moved,
): Promise<Entered> {
  const waiting = await findWaiting(needs, [member]);
  return {
    ...(await needs.sessions.loginBody(sessionId, member)),
    workspace: presentWorkspace(member, member.tenant_id, waiting(member.tenant_id)),
  };
}

/**
 * Takes the caller to another workspace of theirs. Throws `workspace_not_found`, `access_disabled`, `workspace_not_active`,
 * `session_replaced`, `reauth_required`.
 */
export async function switchWorkspace(needs: Needs, actor: Actor, ip: string, id: string): Promise<Entered> {
  const moved = await needs.system.by(actor).tx(async (tx) => {
    requireWholeAccount(actor);
    const memberships = await needs.tenants.listMemberships(actor.account_id, tx);
    const member = memberships.find(({ tenant_id }) => tenant_id === id);
    return enter(needs, tx, { ...actor, ip }, member, id);
  });
  return entered(needs, moved);
}

/** The membership that the caller may end, and all that they have. Throws as `leaveWorkspace`. */
async function requireLeavable({ tenants }: Pick<Needs, "tenants">, tx: SystemTx, actor: Actor, id: string) {
  const memberships = await tenants.listMemberships(actor.account_id, tx);
  const active = memberships.filter(({ member_status }) => member_status === "active");
  const member = inReachOf(actor, active).find(({ tenant_id }) => tenant_id === id);
  if (!member) throw fail("workspace_not_found", { id });
  if (member.role === "org_owner" && (await tenants.countOwners(tx, id)) < 2) throw tenantFail("last_owner");
  if (member.is_exempt === 1) throw tenantFail("break_glass_kept", { name: member.display_name });
  if (active.length < 2) throw fail("last_workspace");
  return { member, active };
}

/**
 * Ends the caller's membership; it stays, disabled, when the audit log names it. Leaving the current workspace takes them to
 * the one used last. Throws `workspace_not_found`, `last_owner`, `break_glass_kept`, `last_workspace`.
 */
export async function leaveWorkspace(needs: Needs, actor: Actor, ip: string, id: string): Promise<Left> {
  const { tenants } = needs;
  const { left, moved } = await needs.system.by(actor).tx(async (tx) => {
    // Whoever may not leave it, or is not in it, keeps nobody from changing it either.
    await requireLeavable(needs, tx, actor, id);
    await tenants.lockAccount(tx, actor.account_id);
    await tenants.lockMembers(tx, id);
    const { member, active } = await requireLeavable(needs, tx, actor, id);
    const next = actor.is_wsl
      ? undefined
      : active.find((row) => row.tenant_id !== id && row.tenant_status === "active");
    const isCurrent = id === actor.tenant_id;
    // Before the membership goes: the session that is replaced goes with it.
    const there = isCurrent && next ? await enter(needs, tx, { ...actor, ip }, next, next.tenant_id) : null;
    const keeps = await needs.audit.isAudited(tx, id, member.member_id);
    await needs.bus.emit(tx, "account.leave", { by: byMember(member, ip), role: member.role });
    await (keeps ? tenants.disableMember : tenants.deleteMember)(tx, id, member.member_id);
    needs.accessEnds.ended(tx, member.member_id);
    return { left: { isCurrent, mode: keeps ? ("disabled" as const) : ("deleted" as const) }, moved: there };
  });
  const answer: Left = { status: "left", workspace_id: id, mode: left.mode };
  if (!left.isCurrent) return answer;
  return moved ? { ...answer, ...(await entered(needs, moved)) } : { ...answer, reauth_required: true };
}

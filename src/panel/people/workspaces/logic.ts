import type { Actor } from "../../actor.ts";
import type { PanelContext } from "../../context.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { loginBody, moveSession } from "../sessions/index.ts";
import {
  countOwners,
  createWorkspace,
  deleteMember,
  disableMember,
  findMembership,
  listMemberships,
  lockAccount,
  lockMembers,
  type MembershipRow,
  tenantFail,
} from "../tenants/index.ts";
import { type Entered, fail, type Left, type WorkspaceInput } from "./contract.ts";
import { presentWorkspace } from "./present.ts";

type Deps = Pick<PanelContext, "system" | "clock" | "config" | "ids" | "tokens" | "bus" | "audit">;

/** How many workspaces one account may be in. */
const MAX_WORKSPACES = 100;

/** Every workspace the caller may enter, the one used last first. */
export async function listWorkspaces({ system }: Pick<Deps, "system">, actor: Actor) {
  const rows = await listMemberships(system, actor.account_id);
  const open = rows.filter(({ member_status }) => member_status === "active");
  return {
    current_id: actor.tenant_id,
    workspaces: open.map((row) => presentWorkspace(row, actor.tenant_id)),
  };
}

/** Makes a workspace and takes the caller there. Throws `not_an_msp`, `too_many_workspaces`, `session_replaced`. */
export async function addWorkspace(deps: Deps, actor: Actor, ip: string, input: WorkspaceInput): Promise<Entered> {
  const moved = await deps.system.tx(async (tx) => {
    await lockAccount(tx, actor.account_id);
    const memberships = await listMemberships(tx, actor.account_id);
    if (memberships.length >= MAX_WORKSPACES) throw fail("too_many_workspaces", { limit: MAX_WORKSPACES });
    const current = memberships.find(({ tenant_id }) => tenant_id === actor.tenant_id);
    if (input.as_client && !mayAddClients(current)) throw fail("not_an_msp");
    const made = await createWorkspace(deps, tx, actor.account_id, {
      name: input.name,
      mode: input.mode ?? null,
      parent_tenant_id: input.as_client ? actor.tenant_id : null,
    });
    return enter(deps, tx, { ...actor, ip }, await findMembership(tx, made.tenant_id, made.member_id), made.tenant_id);
  });
  return entered(deps, moved);
}

function mayAddClients(member: MembershipRow | undefined): boolean {
  return member?.mode === "msp" && ["org_owner", "org_admin"].includes(member.role);
}

/** A session that has just begun in a workspace. */
interface Moved {
  member: MembershipRow;
  sessionId: string;
}

/** Who goes to another workspace, and from where. */
type Visitor = Pick<Actor, "tenant_id" | "session_id"> & { ip: string };

async function enter(
  deps: Deps,
  tx: SystemTx,
  actor: Visitor,
  member: MembershipRow | null | undefined,
  id: string,
): Promise<Moved> {
  if (!member) throw fail("workspace_not_found", { id });
  if (member.member_status === "disabled") throw fail("access_disabled", { name: member.tenant_name });
  if (member.tenant_status === "suspended") throw fail("workspace_not_active", { name: member.tenant_name });
  const sessionId = await moveSession(deps, tx, actor, member);
  await deps.bus.emit(tx, "account.enter", { by: byMember(member, actor.ip) });
  return { member, sessionId };
}

async function entered(deps: Deps, { member, sessionId }: Moved): Promise<Entered> {
  return { ...(await loginBody(deps, sessionId, member)), workspace: presentWorkspace(member, member.tenant_id) };
}

/**
 * Takes the caller to another workspace of theirs. Throws `workspace_not_found`, `access_disabled`, `workspace_not_active`,
 * `session_replaced`.
 */
export async function switchWorkspace(deps: Deps, actor: Actor, ip: string, id: string): Promise<Entered> {
  const moved = await deps.system.tx(async (tx) => {
    const memberships = await listMemberships(tx, actor.account_id);
    return enter(
      deps,
      tx,
      { ...actor, ip },
      memberships.find(({ tenant_id }) => tenant_id === id),
      id,
    );
  });
  return entered(deps, moved);
}

/**
 * Ends the caller's membership; it stays, disabled, when the audit log names it. Leaving the current workspace takes them to
 * the one used last. Throws `workspace_not_found`, `last_owner`, `last_workspace`.
 */
export async function leaveWorkspace(deps: Deps, actor: Actor, ip: string, id: string): Promise<Left> {
  const { left, moved } = await deps.system.tx(async (tx) => {
    await lockAccount(tx, actor.account_id);
    await lockMembers(tx, id);
    const memberships = await listMemberships(tx, actor.account_id);
    const active = memberships.filter(({ member_status }) => member_status === "active");
    const member = active.find(({ tenant_id }) => tenant_id === id);
    if (!member) throw fail("workspace_not_found", { id });
    if (member.role === "org_owner" && (await countOwners(tx, id)) < 2) throw tenantFail("last_owner");
    if (active.length < 2) throw fail("last_workspace");
    const next = active.find((row) => row.tenant_id !== id && row.tenant_status === "active");
    const isCurrent = id === actor.tenant_id;
    // Before the membership goes: the session that is replaced goes with it.
    const there = isCurrent && next ? await enter(deps, tx, { ...actor, ip }, next, next.tenant_id) : null;
    const keeps = await deps.audit.isAudited(tx, id, member.member_id);
    await deps.bus.emit(tx, "account.leave", { by: byMember(member, ip), role: member.role });
    await (keeps ? disableMember : deleteMember)(tx, id, member.member_id);
    return { left: { isCurrent, mode: keeps ? ("disabled" as const) : ("deleted" as const) }, moved: there };
  });
  const answer: Left = { status: "left", workspace_id: id, mode: left.mode };
  if (!left.isCurrent) return answer;
  return moved ? { ...answer, ...(await entered(deps, moved)) } : { ...answer, reauth_required: true };
}

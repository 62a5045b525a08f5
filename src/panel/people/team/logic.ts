import { type Actor, may } from "../../actor.ts";
import type { Ousted } from "../../base.ts";
import { byMember } from "../../event-meaning.ts";
import { readOutcome } from "../../platform/mail/index.ts";
import type { RoleName } from "../tenants/contract.ts";
import { endOffers, letIn, lockWorkspace, rememberRemoval, tenantFail } from "../tenants/index.ts";
import { fail, type Member, type MemberRemoved, type RoleChanged, type TeamMember } from "./contract.ts";
import type { Needs, Own } from "./needs.ts";
import { presentMember } from "./presence.ts";
import {
  countActiveOwners,
  enableMember,
  endMembership,
  endOtherMemberships,
  findMember,
  listMembers,
  type MemberRow,
  updateRole,
} from "./store.ts";

/** The members of the caller's workspace, the first ones first. Whose account a password alone guards is told to who manages them. */
export async function listTeam(
  own: Pick<Own, "clock" | "presences">,
  actor: Actor,
  activeOnly: boolean,
): Promise<TeamMember[]> {
  const rows = await listMembers(actor.db);
  const isTold = may(actor, "users:manage");
  return rows
    .filter(({ status }) => !activeOnly || status === "active")
    .map((row) => ({
      ...presentMember(own, actor.tenant_id, row),
      second_factor: isTold ? row.has_factor === 1 : null,
      mail: isTold ? readOutcome(row) : null,
      is_visitor: row.is_visitor === 1,
    }));
}

/** Throws `member_not_found`, and `member_is_visitor` for whom only the permit of the workspace brings and takes away. */
function requireOwn(member: MemberRow | null, id: string): asserts member is MemberRow {
  if (!member) throw fail("member_not_found", { id });
  if (member.is_visitor === 1) throw fail("member_is_visitor", { name: member.display_name });
}

/** Throws `break_glass_kept` for the owner without whom nobody could come in while the workspace's own sign-in fails. */
function requireNotExempt({ is_exempt, display_name: name }: MemberRow): void {
  if (is_exempt === 1) throw tenantFail("break_glass_kept", { name });
}

/** Gives a member another role. Throws `member_not_found`, `member_is_visitor`, `owner_required`, `break_glass_kept`, `last_owner`. */
export function changeRole(
  deps: Pick<Needs, "accessEnds" | "bus">,
  actor: Actor,
  ip: string,
  id: string,
  role: RoleName,
): Promise<RoleChanged> {
  return actor.db.tx(async (tx) => {
    await lockWorkspace(tx);
    const member = await findMember(tx, id);
    requireOwn(member, id);
    const caller = await findMember(tx, actor.member_id);
    const isAboutOwners = role === "org_owner" || member.role === "org_owner";
    if (isAboutOwners && caller?.role !== "org_owner") throw fail("owner_required");
    if (role !== "org_owner") requireNotExempt(member);
    await updateRole(tx, id, role);
    if ((await countActiveOwners(tx)) === 0) throw tenantFail("last_owner");
    deps.accessEnds.ended(tx, id);
    const change = { role, previous_role: member.role };
    await deps.bus.emit(tx, "team.role_change", { by: byMember(actor, ip), member_id: id, ...change });
    return { id, email: member.email, ...change };
  });
}

/**
 * Ends somebody's membership. Neither a directory nor a sign-on brings them back, whatever they still say of them, nor an invitation of
 * before; one of after it does.
 * Throws `member_not_found`, `member_is_visitor`, `remove_self`, `owner_required`, `break_glass_kept`, `last_owner`.
 */
export function removeMember(
  { accessEnds, bus, audit, clock, lists }: Pick<Needs, "accessEnds" | "bus" | "audit" | "clock" | "lists">,
  actor: Actor,
  ip: string,
  id: string,
): Promise<MemberRemoved> {
  return actor.db.tx(async (tx) => {
    await lockWorkspace(tx);
    const member = await findMember(tx, id);
    requireOwn(member, id);
    if (id === actor.member_id) throw fail("remove_self");
    const caller = await findMember(tx, actor.member_id);
    if (member.role === "org_owner" && caller?.role !== "org_owner") throw fail("owner_required");
    requireNotExempt(member);
    const { hasRoom, addresses } = await rememberRemoval(lists, tx, id, clock.now());
    const mode = !hasRoom || (await audit.isAuditedHere(tx, id)) ? "disabled" : "deleted";
    const { display_name: name, email, role } = member;
    const by = byMember(actor, ip);
    await bus.emit(tx, "team.remove", { by, member_id: id, name, email, role });
    for (const end of lists.removals.all()) await end(tx, { by, addresses });
    await endMembership(tx, id, mode);
    accessEnds.ended(tx, id);
    if ((await countActiveOwners(tx)) === 0) throw tenantFail("last_owner");
    return { id, status: "removed" as const, mode };
  });
}

/**
 * Ends the access of everybody but an owner who did not let them in; gives how many that were. They stay, for the log and to be taken back.
 */
export async function removeOthers(
  { accessEnds, bus }: Pick<Needs, "accessEnds" | "bus">,
  { tenant_id, member_id, by, own }: Ousted,
): Promise<number> {
  const count = await endOtherMemberships(own, member_id);
  if (count === 0) return 0;
  accessEnds.ended(own, tenant_id);
  await bus.emit(own, "team.clear", { by, member_id, count });
  return count;
}

/**
 * Gives somebody who was removed, or left, their way in again, in the role that they had. Throws `member_not_found`, `member_is_visitor`,
 * `member_active`, `owner_required`.
 */
export function restoreMember(
  own: Pick<Own, "bus" | "clock" | "lists" | "sessions" | "presences">,
  actor: Actor,
  ip: string,
  id: string,
): Promise<Member> {
  return actor.db.tx(async (tx) => {
    await lockWorkspace(tx);
    const member = await findMember(tx, id);
    requireOwn(member, id);
    if (member.status === "active") throw fail("member_active", { name: member.display_name });
    const caller = await findMember(tx, actor.member_id);
    if (member.role === "org_owner" && caller?.role !== "org_owner") throw fail("owner_required");
    // What they had open when they lost their way in must not open again by itself.
    await own.sessions.endMemberSessions(tx, id, own.clock.now());
    await letIn(tx, id, own.clock.now());
    await enableMember(tx, id);
    const by = byMember(actor, ip);
    await endOffers(own.lists, tx, by, id);
    await own.bus.emit(tx, "team.restore", { by, member_id: id, role: member.role });
    return presentMember(own, actor.tenant_id, { ...member, status: "active" });
  });
}

import type { RoleName, TeamMember } from "../../client/types.ts";
import { roleRights } from "../../parts/roles.ts";

/** Whether a member's role may be changed, and to what; `why` says in words why not. */
export type RoleChoice = { roles: RoleName[] } | { roles: null; why: string | null };

/** Whether the caller may take a member out, as the server decides it too; who is out already stays in the list for the log. */
export function mayRemove(
  member: Pick<TeamMember, "id" | "role" | "status" | "is_visitor">,
  caller: { id: string; role: RoleName; mayManage: boolean },
): boolean {
  if (!caller.mayManage || member.id === caller.id || member.status === "disabled" || member.is_visitor) return false;
  return member.role !== "org_owner" || caller.role === "org_owner";
}

/** Whether the caller may give somebody who was removed their way in again, as the server decides it too. */
export function mayRestore(
  member: Pick<TeamMember, "role" | "status" | "is_visitor">,
  caller: { role: RoleName; mayManage: boolean },
): boolean {
  if (!caller.mayManage || member.status === "active" || member.is_visitor) return false;
  return member.role !== "org_owner" || caller.role === "org_owner";
}

/** What the caller may do with a member's role, as the server decides it too. */
export function roleChoice(
  member: TeamMember,
  team: readonly TeamMember[],
  caller: { role: RoleName; mayManage: boolean },
): RoleChoice {
  if (!caller.mayManage || member.is_visitor) return { roles: null, why: null };
  const isOwner = caller.role === "org_owner";
  if (member.role === "org_owner" && !isOwner) return { roles: null, why: "Only an owner may change an owner’s role." };
  const owners = team.filter((other) => other.role === "org_owner" && other.status === "active");
  if (member.role === "org_owner" && owners.length === 1 && owners[0]?.id === member.id)
    return {
      roles: null,
      why: `${member.display_name} is the only owner, and stays one until another member is made an owner.`,
    };
  return { roles: roleRights.map(({ role }) => role).filter((role) => isOwner || role !== "org_owner") };
}

import type { GivenRole } from "../sso/contract.ts";
import type { Change } from "./change.ts";
import { listRolesOf } from "./group-store.ts";
import type { Needs } from "./needs.ts";
import { findUser, updateRole } from "./user-store.ts";

/** What whoever the directory brings is here, as long as no group says more. */
export const DEFAULT_ROLE: GivenRole = "org_viewer";

/** From the least to the most. */
const ORDER: readonly GivenRole[] = ["org_teacher", "org_viewer", "org_manager", "org_admin"];

/**
 * Gives a member the most that a group of theirs is here, as far as the token reaches. Owners are made here alone; a role that was given by hand stays where no
 * group says anything.
 */
export async function settleRole(
  needs: Pick<Needs, "accessEnds" | "bus">,
  { by, own, tx, most: limit }: Change,
  memberId: string,
): Promise<void> {
  const user = await findUser(own, memberId);
  if (!user || user.role === "org_owner") return;
  const roles = await listRolesOf(own, memberId);
  const most = ORDER.filter((role) => roles.includes(role)).at(-1);
  if (most === undefined && user.has_group_role !== 1) return;
  const said = most ?? DEFAULT_ROLE;
  // Whoever is that already stays so.
  const role = ORDER.indexOf(said) > ORDER.indexOf(limit) && user.role !== said ? limit : said;
  const isSaid = Number(most !== undefined);
  if (role !== user.role || isSaid !== user.has_group_role) await updateRole(own, memberId, role, isSaid);
  if (role === user.role) return;
  needs.accessEnds.ended(tx, memberId);
  const { account_email: email, role: previous_role } = user;
  await needs.bus.emit(tx, "scim.role", { by, member_id: memberId, email, role, previous_role });
}

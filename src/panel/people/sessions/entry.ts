import type { MembershipRow } from "../tenants/index.ts";
import { fail } from "./contract.ts";

/**
 * A member as the workspace's own sign-in lets them in. It answers for a second factor itself, and nobody becomes platform staff by it:
 * a workspace chooses whom it believes.
 */
export const throughWorkspace = (member: MembershipRow): MembershipRow => ({
  ...member,
  global_role: null,
  lacks_factor: 0,
  lacks_sso: 0,
});

/** Whether a member has what their workspace asks of whoever comes in. */
export const hasEntry = ({ lacks_factor, lacks_sso }: MembershipRow): boolean => lacks_factor === 0 && lacks_sso === 0;

/**
 * For whatever is done in a workspace, or to it from another one: the member has what it asks of whoever comes in. Throws `sso_required`,
 * `mfa_enrollment_required`.
 */
export function requireEntry({ lacks_factor, lacks_sso, sign_in, tenant_name: name }: MembershipRow): void {
  if (lacks_sso === 1) throw fail("sso_required", { name, sign_in });
  if (lacks_factor === 1) throw fail("mfa_enrollment_required", { name });
}

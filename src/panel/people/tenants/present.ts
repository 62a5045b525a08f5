import type { User } from "./contract.ts";
import type { MembershipRow } from "./store.ts";

/** A person as the API shows one to themselves. */
export function presentUser(row: MembershipRow): User {
  return {
    id: row.member_id,
    tenant_id: row.tenant_id,
    account_id: row.account_id,
    email: row.email,
    display_name: row.display_name,
    role: row.role,
    global_role: row.global_role,
    email_verified: row.email_verified === 1,
    onboarding_completed: row.onboarding_completed === 1,
    tenant_name: row.tenant_name,
    tenant_mode: row.mode,
    ...(row.lacks_factor === 1 ? { mfa_enrollment_required: true as const } : {}),
    ...(row.lacks_sso === 1 && row.sign_in !== null ? { sso_required: row.sign_in } : {}),
    ...(row.tenant_status === "suspended" ? { workspace_suspended: true as const } : {}),
  };
}

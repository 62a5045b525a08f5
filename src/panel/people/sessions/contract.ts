import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { User } from "../tenants/contract.ts";

/** What every way in answers. */
export const LoginBody = t.Object({
  token: t.String(),
  user: User,
  /** As in the user. */
  mfa_enrollment_required: t.Optional(t.Literal(true)),
});
export type LoginBody = Static<typeof LoginBody>;

export const fail = defineErrors({
  permission_missing: [
    403,
    "Your role in this workspace does not include {permission}.",
    () => ({ error: "forbidden" }),
  ],
  role_changed: [409, "Your role in this workspace was changed while this waited, and nothing was done. Ask again."],
  staff_use_admin_console: [403, "Only members of the workspace may change this. Staff use the admin console instead."],
  staff_only: [403, "Only the staff of this panel may do this.", () => ({ error: "forbidden" })],
  staff_factor_required: [
    403,
    "Staff needs a second factor for this. Add one under Security of your account, and sign in with it.",
  ],
  workspace_suspended: [403, "The workspace {name} is suspended. Switch to another one, or ask support."],
  mfa_enrollment_required: [
    403,
    "The workspace {name} wants a second factor of its members, and you have none yet. Add one under Security of your account.",
    () => ({ error: "mfa_enrollment_required" }),
  ],
  step_up_required: [
    403,
    "Confirm that it is you: your last proof is more than {minutes} minutes old.",
    ({ methods }) => ({ methods }),
  ],
  sso_required: [
    403,
    "The workspace {name} wants its members to come in through its own sign-in.",
    ({ sign_in }) => ({ error: "sso_required", sign_in }),
  ],
  reauth_required: [
    403,
    "You came in through the sign-in of one workspace, which is good for that workspace alone. Sign in with your account for this.",
    () => ({ error: "reauth_required" }),
  ],
  session_replaced: [
    401,
    "This token belongs to a session that has been replaced. Use the newer token, or sign in again.",
  ],
});

import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { User } from "../tenants/contract.ts";

/** What every way in answers. */
export const LoginBody = t.Object({ token: t.String(), user: User });
export type LoginBody = Static<typeof LoginBody>;

export const fail = defineErrors({
  permission_missing: [
    403,
    "Your role in this workspace does not include {permission}.",
    () => ({ error: "forbidden" }),
  ],
  staff_use_admin_console: [403, "Only members of the workspace may change this. Staff use the admin console instead."],
  workspace_suspended: [403, "The workspace {name} is suspended. Switch to another one, or ask support."],
  session_replaced: [
    401,
    "This token belongs to a session that has been replaced. Use the newer token, or sign in again.",
  ],
});

import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";

/**
 * Who may make an account: anybody; those whom the operator or a workspace invites; or nobody but those whom
 * the operator invites.
 */
export const RegistrationMode = t.Union([t.Literal("open"), t.Literal("invite_only"), t.Literal("closed")]);
export type RegistrationMode = Static<typeof RegistrationMode>;

export const fail = defineErrors({
  registration_invite_only: [
    403,
    "New accounts on this panel need an invitation. Ask whoever runs it to send you one.",
  ],
  registration_closed: [403, "This panel takes no new accounts. If you should have one, ask whoever runs it."],
});

export const registrationRoutes = defineRoutes({
  "GET /api/auth/registration": { access: open(), out: t.Object({ mode: RegistrationMode }) },
});
export type RegistrationApi = ApiOf<typeof registrationRoutes>;

import type { Routes } from "../../client/routes.ts";

/** Who may make an account. */
export type RegistrationMode = Routes["GET /api/auth/registration"]["out"]["mode"];

/** What somebody without an account is told where not everybody may make one. */
export const noRegistration: Record<Exclude<RegistrationMode, "open">, string> = {
  invite_only: "New accounts need an invitation here. Ask whoever runs this panel to send you one.",
  closed: "This panel takes no new accounts. If you should have one, ask whoever runs it.",
};

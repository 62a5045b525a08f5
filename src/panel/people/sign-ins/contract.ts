import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { signedIn } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";

/** Where the caller is signed in, whichever of their workspaces they are in there. */
export const SignIn = t.Object({
  id: t.String(),
  /** The browser and system, such as `Firefox on Linux`. */
  device: t.String(),
  /** The address; of IPv6 the /64 network. Empty when nobody wrote it down. */
  ip: t.String(),
  created_at: t.String(),
  last_used_at: t.String(),
  current: t.Boolean(),
});
export type SignIn = Static<typeof SignIn>;

export type SignInEvents = {
  /** Somebody ended others of their own sign-ins. */
  "account.sign_ins_ended": PanelEvent & { count: number };
};

export const fail = defineErrors({
  session_not_found: [404, "You are not signed in there any more, or never were: {id}. Look at the list anew."],
});

export const SignInsEnded = t.Object({ message: t.String(), ended: t.Integer() });
export type SignInsEnded = Static<typeof SignInsEnded>;

export const signInRoutes = defineRoutes({
  "GET /api/auth/sessions": { access: signedIn(), out: t.Array(SignIn) },
  /** Ends all but the one that asks. */
  "DELETE /api/auth/sessions": { access: signedIn({ endsSessions: true }), out: SignInsEnded },
  "DELETE /api/auth/sessions/{id}": {
    access: signedIn({ endsSessions: true }),
    params: t.Object({ id: t.String() }),
    out: t.Object({ message: t.String() }),
  },
});
export type SignInApi = ApiOf<typeof signInRoutes>;

import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { user } from "../../access.ts";

export const Session = t.Object({
  id: t.String(),
  device: t.String(),
  ip: t.String(),
  created_at: t.String(),
  last_used_at: t.String(),
  current: t.Boolean(),
});
export type Session = Static<typeof Session>;

export const SessionParams = t.Object({ id: t.String() });

export const fail = defineErrors({
  session_not_found: [404, "There is no session {id} of yours. It may have ended already."],
  refresh_refused: [401, "This sign-in has ended. Sign in again."],
});

export type SessionEvents = {
  "session.revoked": { user_id: string; session_id: string; ip: string };
  "session.others_revoked": { user_id: string; count: number; ip: string };
  /** A refresh token was used again long after it was traded: somebody has a copy, so the session ended. */
  "session.refresh_reused": { user_id: string; session_id: string; ip: string };
};

export const SessionsEnded = t.Object({ message: t.String(), ended: t.Integer() });

export const sessionRoutes = defineRoutes({
  "GET /api/auth/sessions": { access: user(), out: t.Array(Session) },
  /** Ends all sessions but the one that asks. */
  "DELETE /api/auth/sessions": { access: user(), out: SessionsEnded },
  "DELETE /api/auth/sessions/{id}": { access: user(), params: SessionParams, out: t.Object({ message: t.String() }) },
});
export type SessionApi = ApiOf<typeof sessionRoutes>;

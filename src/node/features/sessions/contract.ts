import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";

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

export type SessionApi = {
  "GET /api/auth/sessions": { out: Session[] };
  "DELETE /api/auth/sessions/{id}": { out: { message: string } };
};

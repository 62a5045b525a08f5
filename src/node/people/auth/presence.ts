import { RANK, type Role } from "../../access.ts";
import type { Needs } from "./needs.ts";

/** Somebody who was let in with a session, and from where. */
export interface Present {
  user_id: string;
  session_id: string | null;
  ip: string;
}

/** Answers for what lasts longer than an access token: it hangs on the session, which the page renews meanwhile. */
export interface Presence {
  /** Whether they have that role, and a session that is neither ended nor locked; locks it when nobody was there for too long. */
  isIn(who: Present, role: Role): boolean;
  /** Notes a sign of life, such as what somebody types. */
  note(who: Present): void;
}

/** Makes the answers. */
export function createPresence(needs: Pick<Needs, "clock" | "sessions" | "users" | "lock">): Presence {
  const { clock, sessions, users, lock } = needs;
  const findSession = ({ user_id, session_id }: Present) => {
    const session = session_id === null ? null : sessions.find(session_id);
    if (session?.user_id !== user_id || session.expires_at <= clock.now()) return null;
    const isOver = session.revoked_at !== null || session.is_cut === 1 || session.locked_at !== null;
    return isOver ? null : session;
  };
  return {
    isIn(who, role) {
      const user = users.find(who.user_id);
      if (!user || user.disabled_at !== null || user.must_change_password === 1) return false;
      const session = findSession(who);
      return RANK[user.role] >= RANK[role] && session !== null && !lock.lockIfIdle(session, who.ip);
    },
    note(who) {
      const session = findSession(who);
      if (session) lock.note(session, who.ip);
    },
  };
}

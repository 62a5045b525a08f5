import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail, type Session } from "./contract.ts";
import * as store from "./store.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "ids">;

export const REFRESH_TOKEN_MS = days(30);
/** A client that lost the reply to its refresh may repeat it this long without being taken for a thief. */
const RETRY_GRACE_MS = seconds(10);

/** Where a sign-in comes from. */
export interface Origin {
  ip: string;
  device: string;
}

/** A session's id with a refresh token that can be used once. */
export interface IssuedSession {
  session_id: string;
  user_id: string;
  refresh_token: string;
}

function issueRefresh({ db, clock, ids }: Deps, sessionId: string): string {
  const token = ids.token(32);
  store.insertRefresh(db, { hash: sha256Hex(token), session_id: sessionId, created_at: clock.now() });
  return token;
}

/** Starts a session for a user whose identity has been proven. */
export function startSession(deps: Deps, userId: string, origin: Origin): IssuedSession {
  const now = deps.clock.now();
  return deps.db.tx(() => {
    const session_id = deps.ids.next("ses");
    store.insertSession(deps.db, {
      id: session_id,
      user_id: userId,
      device: origin.device,
      ip: origin.ip,
      created_at: now,
      last_used_at: now,
      expires_at: now + REFRESH_TOKEN_MS,
      locked_at: null,
      revoked_at: null,
    });
    return { session_id, user_id: userId, refresh_token: issueRefresh(deps, session_id) };
  });
}

/**
 * Trades a refresh token for the next one. A token that was traded before, outside the retry grace, has been stolen by
 * somebody: the whole session ends. Throws `refresh_refused`.
 */
export function rotateSession(deps: Deps, refreshToken: string, ip: string): IssuedSession {
  const { db, clock } = deps;
  const now = clock.now();
  const issued = db.tx(() => {
    const token = store.findRefresh(db, sha256Hex(refreshToken));
    const session = token && store.findSession(db, token.session_id);
    if (!token || !session || session.revoked_at !== null || session.expires_at <= now) return null;
    if (token.rotated_at !== null && now - token.rotated_at > RETRY_GRACE_MS) {
      store.markSessionRevoked(db, session.id, now);
      return null;
    }
    store.markRefreshRotated(db, token.hash, now);
    store.touchSession(db, session.id, ip, now, now + REFRESH_TOKEN_MS);
    return { session_id: session.id, user_id: session.user_id, refresh_token: issueRefresh(deps, session.id) };
  });
  if (!issued) throw fail("refresh_refused");
  return issued;
}

/** The session a refresh token belongs to, ended or not; null for an unknown token. */
export function findSessionOfRefresh({ db }: Pick<Deps, "db">, refreshToken: string): string | null {
  return store.findRefresh(db, sha256Hex(refreshToken))?.session_id ?? null;
}

/** Ends one session; nothing happens when it has ended before. */
export function revokeSession({ db, clock }: Pick<Deps, "db" | "clock">, id: string): void {
  store.markSessionRevoked(db, id, clock.now());
}

/** Ends all sessions of a user but `keepId`. */
export function revokeSessionsOf(
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: string,
  keepId: string | null,
): void {
  store.markUserSessionsRevoked(db, userId, keepId, clock.now());
}

/** Ends one of the user's own sessions. Throws `session_not_found` for a foreign or ended one alike. */
export function revokeOwnSession({ db, clock }: Pick<Deps, "db" | "clock">, userId: string, id: string): void {
  const session = store.findSession(db, id);
  if (!session || session.user_id !== userId || session.revoked_at !== null) throw fail("session_not_found", { id });
  revokeSession({ db, clock }, id);
}

/** The user's active sessions, most recently used first. */
export function listSessions(
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: string,
  currentId: string | null,
): Session[] {
  return store.listActiveSessions(db, userId, clock.now()).map((row) => ({
    id: row.id,
    device: row.device,
    ip: row.ip,
    created_at: toIso(row.created_at),
    last_used_at: toIso(row.last_used_at),
    current: row.id === currentId,
  }));
}

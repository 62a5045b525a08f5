import { createHmac } from "node:crypto";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days, seconds } from "../../../lib/duration.ts";
import { fail, type Session } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

type RotateNeeds = Pick<Needs, "db" | "clock" | "seal">;
type ChangeNeeds = Pick<Needs, "db" | "clock">;

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

/**
 * The token that follows another one. Derived, not drawn: a client that lost our answer, or two tabs that refresh at the
 * same moment, get the same successor, and a session never has two tokens that count.
 */
function successorOf({ seal }: Pick<Needs, "seal">, token: string): string {
  return createHmac("sha256", seal.deriveKey("refresh-token")).update(token).digest("base64url");
}

function storeRefresh({ db, clock }: ChangeNeeds, sessionId: string, token: string): void {
  store.insertRefresh(db, { hash: sha256Hex(token), session_id: sessionId, created_at: clock.now() });
}

/** Starts a session for a user whose identity has been proven; one that a paired device let in ends with that. */
export function startSession(
  needs: Pick<Needs, "db" | "clock" | "ids">,
  userId: string,
  origin: Origin,
  parent_device_id: string | null,
): IssuedSession {
  const now = needs.clock.now();
  return needs.db.tx(() => {
    const session_id = needs.ids.next("ses");
    store.insertSession(needs.db, {
      id: session_id,
      user_id: userId,
      device: origin.device,
      ip: origin.ip,
      created_at: now,
      last_used_at: now,
      expires_at: now + REFRESH_TOKEN_MS,
      locked_at: null,
      revoked_at: null,
      parent_device_id,
    });
    const refresh_token = needs.ids.token(32);
    storeRefresh(needs, session_id, refresh_token);
    return { session_id, user_id: userId, refresh_token };
  });
}

/**
 * Trades a refresh token for the next one; within the retry grace a token traded before gives the session's current one.
 * Outside of it somebody has stolen the token: the whole session ends. Throws `refresh_refused`.
 */
export function rotateSession(
  needs: RotateNeeds & Pick<Needs, "bus" | "lists">,
  refreshToken: string,
  ip: string,
): IssuedSession {
  const { db, clock, bus } = needs;
  const now = clock.now();
  const issued = db.tx(() => {
    const token = store.findRefresh(db, sha256Hex(refreshToken));
    const session = token && store.findSession(db, token.session_id);
    if (!token || !session || session.revoked_at !== null || session.expires_at <= now) return null;
    // The distance counts, not the order: wall time may have been set back since.
    if (token.rotated_at !== null && Math.abs(now - token.rotated_at) > RETRY_GRACE_MS) {
      endDistrusted(needs, session.id);
      bus.emit("session.refresh_reused", { user_id: session.user_id, session_id: session.id, ip });
      return null;
    }
    const refresh_token = token.rotated_at === null ? successorOf(needs, refreshToken) : newestOf(needs, refreshToken);
    if (token.rotated_at === null) {
      store.markRefreshRotated(db, token.hash, now);
      storeRefresh(needs, session.id, refresh_token);
    }
    store.touchSession(db, session.id, ip, now, now + REFRESH_TOKEN_MS);
    return { session_id: session.id, user_id: session.user_id, refresh_token };
  });
  if (!issued) throw fail("refresh_refused");
  return issued;
}

/** The end of the chain that begins with a traded token. */
function newestOf(needs: RotateNeeds, traded: string): string {
  let token = successorOf(needs, traded);
  while (store.findRefresh(needs.db, sha256Hex(token))?.rotated_at) token = successorOf(needs, token);
  return token;
}

/** The session a refresh token belongs to, ended or not; null for an unknown token. */
export function findSessionOfRefresh({ db }: Pick<Needs, "db">, refreshToken: string): string | null {
  return store.findRefresh(db, sha256Hex(refreshToken))?.session_id ?? null;
}

/** Ends a session that signs out; false when it had ended before. Its access tokens run out by themselves. */
export function revokeSession({ db, clock }: ChangeNeeds, id: string): boolean {
  return store.markSessionRevoked(db, id, clock.now(), false);
}

/** Ends a session together with its access tokens; false when it had ended before. */
export function cutSession({ db, clock }: ChangeNeeds, id: string): boolean {
  return store.markSessionRevoked(db, id, clock.now(), true);
}

/** Ends all sessions of a user but `keepId`, access tokens included, and tells how many. */
export function revokeSessionsOf({ db, clock }: ChangeNeeds, userId: string, keepId: string | null): number {
  return store.markUserSessionsCut(db, userId, keepId, clock.now());
}

/** Lets a session stand by itself: whoever is in it has proven more than that a device let them in. */
export function standAlone({ db }: Pick<Needs, "db">, id: string): void {
  store.forgetParentDevice(db, id);
}

/** Locks a session; false when it is locked, ended or unknown. */
export function lockSession({ db, clock }: ChangeNeeds, id: string): boolean {
  return store.markSessionLocked(db, id, clock.now());
}

type OwnNeeds = ChangeNeeds & Pick<Needs, "bus">;

/** Ends a session in which somebody else may have been, with the links that wait and were made in it. Called inside a transaction. */
function endDistrusted(needs: ChangeNeeds & Pick<Needs, "lists">, id: string): void {
  cutSession(needs, id);
  for (const { endMadeIn } of needs.lists.lastingWays.all()) endMadeIn?.(id);
}

/** Ends one of the user's own sessions. Throws `session_not_found` for a foreign or ended one alike. */
export function revokeOwnSession(needs: OwnNeeds & Pick<Needs, "lists">, userId: string, id: string, ip: string): void {
  const session = store.findSession(needs.db, id);
  if (!session || session.user_id !== userId || session.revoked_at !== null) throw fail("session_not_found", { id });
  needs.db.tx(() => {
    endDistrusted(needs, id);
    needs.bus.emit("session.revoked", { user_id: userId, session_id: id, ip });
  });
}

/**
 * Ends the user's sessions but the one that asks and tells how many. What one of them left waiting to let somebody in, such as a link that
 * sets a password, ends too.
 */
export function revokeOtherSessions(
  needs: OwnNeeds & Pick<Needs, "lists">,
  userId: string,
  currentId: string | null,
  ip: string,
): number {
  return needs.db.tx(() => {
    const count = revokeSessionsOf(needs, userId, currentId);
    const waiting = needs.lists.lastingWays.all().filter(({ name }) => name === null);
    for (const { endAllOf } of waiting) endAllOf(userId, { ip, spare_device_id: null });
    if (count > 0) needs.bus.emit("session.others_revoked", { user_id: userId, count, ip });
    return count;
  });
}

/** Ends the sessions that a paired device let in, and tells of each. */
export function cutSessionsOfDevice(needs: OwnNeeds, deviceId: string, ip: string): void {
  needs.db.tx(() => {
    for (const { id: session_id, user_id } of store.listSessionsOfDevice(needs.db, deviceId)) {
      cutSession(needs, session_id);
      needs.bus.emit("session.revoked", { user_id, session_id, ip });
    }
  });
}

/** The user's active sessions, most recently used first. */
export function listSessions({ db, clock }: ChangeNeeds, userId: string, currentId: string | null): Session[] {
  return store.listActiveSessions(db, userId, clock.now()).map((row) => ({
    id: row.id,
    device: row.device,
    ip: row.ip,
    created_at: toIso(row.created_at),
    last_used_at: toIso(row.last_used_at),
    current: row.id === currentId,
  }));
}

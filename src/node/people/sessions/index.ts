/** Sessions: signed-in devices, their rotating refresh tokens and their access tokens. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { sessionMeanings } from "./events.ts";
import { createHomes } from "./homes.ts";
import {
  cutSession,
  cutSessionsOfDevice,
  findSessionOfRefresh,
  type IssuedSession,
  lockSession,
  type Origin,
  REFRESH_TOKEN_MS,
  revokeSession,
  revokeSessionsOf,
  rotateSession,
  standAlone,
  startSession,
} from "./logic.ts";
import init from "./migrations/0001_sessions.sql" with { type: "text" };
import ending from "./migrations/0002_ending.sql" with { type: "text" };
import byUse from "./migrations/0003_by_use.sql" with { type: "text" };
import oneIndex from "./migrations/0004_one_index.sql" with { type: "text" };
import letInBy from "./migrations/0005_let_in_by.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindSessionRoutes } from "./routes.ts";
import {
  deleteEndedSessions,
  deleteSpentRefreshTokens,
  deleteSurplusEndedSessions,
  deleteSurplusRefreshTokens,
  deleteUserSessions,
  findSession,
  markSurplusSessionsRevoked,
  type SessionRow,
} from "./store.ts";
import { type AccessTokens, createAccessTokens } from "./tokens.ts";

export { type IssuedSession, type Origin, REFRESH_TOKEN_MS } from "./logic.ts";
export type { SessionRow } from "./store.ts";
export type { AccessTokens } from "./tokens.ts";

/** Signed-in devices of one user; those unused for longest end first. */
const MAX_SESSIONS = 100;
/** Ended sessions of one user that are remembered, as the access tokens of some must be known to be refused. */
const KEPT_ENDED = 1_000;
/** Traded tokens of one session that are remembered: a page that is open for thirty days trades one every quarter of an hour. */
const KEPT_TOKENS = 3_000;

export const sessionsFeature = defineFeature({
  name: "sessions",
  events: sessionMeanings,
  migrations: [init, ending, byUse, oneIndex, letInBy],
  errors: fail.table,
});

/** The sessions of this node. */
export interface Sessions extends Part {
  /** Signs and checks access tokens. */
  tokens: AccessTokens;
  /** Starts a session for a user whose identity has been proven; one that a paired device let in ends with that. */
  begin(userId: string, origin: Origin, parentDeviceId?: string | null): IssuedSession;
  /**
   * Trades a refresh token for the next one; one that somebody has stolen ends its session. Throws `refresh_refused`.
   */
  rotate(refreshToken: string, ip: string): IssuedSession;
  find(id: string): SessionRow | null;
  /** True when somebody signed in from the network of this address lately. */
  isHome(ip: string): boolean;
  /** Id of the session a refresh token belongs to, ended or not; null for an unknown token. */
  findIdOfRefresh(refreshToken: string): string | null;
  /** Ends a session that signs out; false when it had ended before. Its access tokens run out by themselves. */
  revoke(id: string): boolean;
  /** Ends a session together with its access tokens; false when it had ended before. */
  cut(id: string): boolean;
  /** Ends all sessions of a user but `keepId`, access tokens included, and tells how many. */
  cutAllOf(userId: string, keepId: string | null): number;
  /** Ends the sessions that a paired device let in, and tells of each. Called inside the transaction that ends the device. */
  cutMadeBy(deviceId: string, ip: string): void;
  /** Lets a session go on when the device ends that let it in: whoever is in it has proven more than that. */
  standAlone(id: string): void;
  /** Locks a session; false when it is locked, ended or unknown. */
  lock(id: string): boolean;
  /** Forgets the sessions of a user who is gone. */
  deleteAllOf(userId: string): void;
}

export function createSessions(needs: Needs): Sessions {
  const { db, clock } = needs;
  const homes = createHomes(needs);
  return {
    feature: sessionsFeature,
    tokens: createAccessTokens(needs),
    begin(userId, origin, parentDeviceId = null) {
      homes.add(origin.ip, userId);
      return startSession(needs, userId, origin, parentDeviceId);
    },
    rotate(refreshToken, ip) {
      const issued = rotateSession(needs, refreshToken, ip);
      homes.add(ip, issued.user_id);
      return issued;
    },
    isHome: homes.has,
    find: (id) => findSession(db, id),
    findIdOfRefresh: (refreshToken) => findSessionOfRefresh(needs, refreshToken),
    revoke: (id) => revokeSession(needs, id),
    cut: (id) => cutSession(needs, id),
    cutAllOf: (userId, keepId) => revokeSessionsOf(needs, userId, keepId),
    cutMadeBy: (deviceId, ip) => cutSessionsOfDevice(needs, deviceId, ip),
    standAlone: (id) => standAlone(needs, id),
    lock: (id) => lockSession(needs, id),
    deleteAllOf: (userId) => deleteUserSessions(db, userId),
    routes: [bindSessionRoutes(needs)],
    jobs: [
      // Not at each sign-in: counting somebody's sessions was a quarter of its work in the database.
      {
        name: "sessions.trim",
        everyMs: minutes(1),
        run: () => markSurplusSessionsRevoked(db, MAX_SESSIONS, clock.now()),
      },
      {
        name: "sessions.forget",
        everyMs: hours(1),
        run: () => {
          deleteSurplusEndedSessions(db, KEPT_ENDED);
          deleteSurplusRefreshTokens(db, KEPT_TOKENS);
          deleteEndedSessions(db, clock.now() - days(7));
          deleteSpentRefreshTokens(db, clock.now() - REFRESH_TOKEN_MS);
        },
      },
    ],
  };
}

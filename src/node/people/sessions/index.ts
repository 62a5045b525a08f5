/** Sessions: signed-in devices, their rotating refresh tokens and their access tokens. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { sessionMeanings } from "./events.ts";
import { REFRESH_TOKEN_MS } from "./logic.ts";
import init from "./migrations/0001_sessions.sql" with { type: "text" };
import ending from "./migrations/0002_ending.sql" with { type: "text" };
import byUse from "./migrations/0003_by_use.sql" with { type: "text" };
import oneIndex from "./migrations/0004_one_index.sql" with { type: "text" };
import { sessionRoutes } from "./routes.ts";
import { deleteEndedSessions, deleteSpentRefreshTokens, markSurplusSessionsRevoked } from "./store.ts";

export {
  cutSession,
  findSessionOfRefresh,
  type IssuedSession,
  lockSession,
  type Origin,
  REFRESH_TOKEN_MS,
  revokeSession,
  revokeSessionsOf,
  rotateSession,
  startSession,
} from "./logic.ts";
export { deleteUserSessions, findSession, type SessionRow } from "./store.ts";
export { ACCESS_TOKEN_MS, type AccessTokens, createAccessTokens } from "./tokens.ts";

/** Signed-in devices of one user; those unused for longest end first. */
const MAX_SESSIONS = 100;

export const sessions = defineContextFeature<NodeContext>({
  name: "sessions",
  migrations: [init, ending, byUse, oneIndex],
  errors: fail.table,
  events: sessionMeanings,
  routes: sessionRoutes,
  jobs: ({ db, clock }) => [
    // Not at each sign-in: counting somebody's sessions was a quarter of its work in the database.
    {
      name: "sessions.trim",
      everyMs: minutes(1),
      run: () => markSurplusSessionsRevoked(db, MAX_SESSIONS, clock.now()),
    },
    {
      name: "sessions.forget",
      everyMs: hours(6),
      run: () => {
        deleteEndedSessions(db, clock.now() - days(7));
        deleteSpentRefreshTokens(db, clock.now() - REFRESH_TOKEN_MS);
      },
    },
  ],
});

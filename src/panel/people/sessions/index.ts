/** Sessions: the panel's tokens, what they stand for, and the guard that every route stands behind. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_sessions.sql" with { type: "text" };

export { createAuthorize, requirePermission } from "./authorize.ts";
export { fail as sessionFail, LoginBody } from "./contract.ts";
export { leaveToken, takeToken } from "./renewal-cookie.ts";
export { loginBody, moveSession, startSession } from "./sign-in.ts";
export { endOtherSessions, endSession, findSession } from "./store.ts";
export { createTokens, type Tokens } from "./tokens.ts";

export const sessions = defineContextFeature({
  name: "sessions",
  migrations: [init],
  errors: fail.table,
});

/** Sessions: the panel's tokens, what they stand for, and the guard that every route stands behind. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Authorize } from "../../../kernel/http/access.ts";
import type { PanelRule } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { createAuthorize } from "./authorize.ts";
import { fail, type LoginBody } from "./contract.ts";
import init from "./migrations/0001_sessions.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { loginBody, moveSession, startSession } from "./sign-in.ts";
import { endOtherSessions, endSession, findSession, type SessionRow } from "./store.ts";
import { createTokens } from "./tokens.ts";

export { requirePermission } from "./authorize.ts";
export { fail as sessionFail, LoginBody } from "./contract.ts";
export { leaveToken, takeToken } from "./renewal-cookie.ts";

export const sessionsFeature = defineFeature({ name: "sessions", migrations: [init], errors: fail.table });

export interface Sessions extends Part {
  /** Decides about every request. */
  authorize: Authorize<Actor, PanelRule>;
  findSession(tx: SystemTx, tenantId: string, id: string): Promise<SessionRow | null>;
  /** Begins a session of a member whose identity has been proven; part of the caller's transaction. Gives its id. */
  startSession(tx: SystemTx, member: MembershipRow): Promise<string>;
  /**
   * Begins a session in another workspace in place of the one given, whose tokens cannot be renewed from then on. Throws
   * `session_replaced` when that has happened before.
   */
  moveSession(tx: SystemTx, from: { tenant_id: string; session_id: string }, member: MembershipRow): Promise<string>;
  /** The answer of every way in: a token for the session and the person. */
  loginBody(sessionId: string, member: MembershipRow): Promise<LoginBody>;
  /** Ends one session; its tokens are good for nothing from then on. `at` in milliseconds. */
  endSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void>;
  /** Ends every session of an account but one. */
  endOtherSessions(tx: SystemTx, accountId: string, keepId: string, at: number): Promise<void>;
}

export function createSessions(needs: Needs): Sessions {
  const own = { ...needs, tokens: createTokens(needs) };
  return {
    feature: sessionsFeature,
    authorize: createAuthorize(own),
    ...{ findSession, endSession, endOtherSessions },
    startSession: (tx, member) => startSession(own, tx, member),
    moveSession: (tx, from, member) => moveSession(own, tx, from, member),
    loginBody: (sessionId, member) => loginBody(own, sessionId, member),
  };
}

import { kernelFail } from "../../../kernel/http/errors.ts";
import { verifyPassword } from "../../../shared/password/index.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import { findSession, findSessionOfRefresh, type Origin, revokeSession, rotateSession } from "../sessions/index.ts";
import {
  continueSignIn,
  finishSignIn,
  giveAttemptBack,
  type SignIn,
  signInFail,
  takeAttempt,
} from "../sign-ins/index.ts";
import { awaitSecondFactor, isTotpOn, type PasswordOutcome } from "../totp/index.ts";
import {
  countUsers,
  createUser,
  findCredentials,
  findUser,
  presentUser,
  changePassword as storePassword,
  usersFail,
} from "../users/index.ts";
import { claimMatches, dropClaimToken } from "./claim.ts";
import {
  type CpStatus,
  fail,
  type LoginInput,
  type Me,
  type PasswordChange,
  type SetupInput,
  type SetupResult,
} from "./contract.ts";

export type AuthDeps = Pick<
  NodeContext,
  "db" | "clock" | "ids" | "bus" | "config" | "tokens" | "attempts" | "seal" | "idleLock" | "pendingLogins"
>;

/** Creates the owner. Throws `setup_done`, `claim_token_wrong`, `password_unusable`. */
export async function setUpOwner(deps: AuthDeps, input: SetupInput, ip: string): Promise<SetupResult> {
  const assertNoOwner = () => {
    if (countUsers(deps.db) > 0) throw fail("setup_done");
  };
  assertNoOwner();
  takeAttempt(deps.attempts, ip);
  if (!claimMatches(deps.config.data_dir, input.claim_token)) {
    throw fail("claim_token_wrong", { field: "claim_token" });
  }
  giveAttemptBack(deps.attempts, ip);
  const owner = { username: input.username, password: input.password, role: "admin" as const };
  const { id, username, created_at } = await createUser(deps, owner, {
    isAllowed: assertNoOwner,
    also: (user) => deps.bus.emit("auth.owner_created", { user_id: user.id, username: user.username, ip }),
  });
  dropClaimToken(deps.config.data_dir);
  return { message: "Welcome. You are the admin of this node.", user: { id, username, created_at } };
}

/** Signs in with a password. Takes as long for unknown names. Throws `wrong_credentials`, `too_many_requests`. */
export async function signIn(deps: AuthDeps, input: LoginInput, origin: Origin): Promise<PasswordOutcome> {
  takeAttempt(deps.attempts, origin.ip);
  const account = findCredentials(deps.db, input.username);
  const matches = await verifyPassword(input.password, account?.password_hash ?? null);
  // Asked again: while the password was compared the account may have been disabled or given another one.
  const current = matches ? findCredentials(deps.db, input.username) : null;
  if (!account || current?.password_hash !== account.password_hash || current.disabled_at !== null) {
    const failure = { username: input.username, ip: origin.ip, method: "password" as const };
    await deps.db.txAside(() => deps.bus.emit("auth.sign_in_failed", failure));
    throw signInFail("wrong_credentials");
  }
  giveAttemptBack(deps.attempts, origin.ip);
  if (isTotpOn(deps, account.id)) {
    return awaitSecondFactor(deps, account);
  }
  const done = await deps.db.txAside(() => finishSignIn(deps, account.id, origin, "password"));
  return { status: "signed_in", done };
}

/** Trades a refresh token for a new pair; a locked session stays locked. Throws `refresh_refused`, `unauthorized`. */
export function refreshSignIn(deps: AuthDeps, refreshToken: string, ip: string): SignIn {
  const sessionId = findSessionOfRefresh(deps, refreshToken);
  const session = sessionId === null ? null : findSession(deps.db, sessionId);
  // Asked before the trade, which itself counts as a sign of life.
  if (session && session.locked_at === null) deps.idleLock.note(session, ip);
  return continueSignIn(deps, rotateSession(deps, refreshToken, ip));
}

/** Ends every session that one of the tokens belongs to. Always succeeds: tokens of no session are passed over. */
export async function signOut(
  deps: AuthDeps,
  refreshTokens: readonly string[],
  accessTokens: readonly string[],
  ip: string,
): Promise<void> {
  const byRefresh = refreshTokens.map((token) => findSessionOfRefresh(deps, token));
  // Also by a token that has run out: who comes back after a break signs out with nothing else.
  const byAccess = await Promise.all(accessTokens.map((token) => deps.tokens.sessionOf(token)));
  const sessionIds = new Set([...byRefresh, ...byAccess]);
  for (const session_id of sessionIds) {
    const session = session_id === null ? null : findSession(deps.db, session_id);
    if (!session) continue;
    deps.db.tx(() => {
      if (!revokeSession(deps, session.id)) return;
      deps.bus.emit("auth.signed_out", { user_id: session.user_id, session_id: session.id, ip });
    });
  }
}

/** Changes the actor's password and ends their other sessions. Throws `wrong_credentials`, `password_unusable`. */
export async function changeOwnPassword(
  deps: AuthDeps,
  actor: Actor,
  input: PasswordChange,
  ip: string,
): Promise<void> {
  takeAttempt(deps.attempts, ip);
  const account = findCredentials(deps.db, actor.username);
  if (!account || !(await verifyPassword(input.current_password, account.password_hash))) {
    deps.bus.emit("auth.password_change_failed", { user_id: actor.user_id, ip });
    throw signInFail("wrong_credentials", { field: "current_password", reason: "is not the one that holds now" });
  }
  giveAttemptBack(deps.attempts, ip);
  // A temporary password, which somebody else has seen, would stay in force.
  if (input.new_password === input.current_password)
    throw usersFail("password_unusable", { field: "new_password", reason: "is the one that you have now" });
  await storePassword(deps, account, input.new_password, actor.session_id, () => {
    // Two changes at once: the second proved a password that is no longer the current one.
    if (findCredentials(deps.db, actor.username)?.password_hash !== account.password_hash)
      throw signInFail("wrong_credentials", { field: "current_password", reason: "is not the one that holds now" });
    deps.bus.emit("auth.password_changed", { user_id: actor.user_id, ip });
  });
}

/** The signed-in user. Throws `unauthorized` when the account vanished meanwhile. */
export function readMe({ db }: Pick<AuthDeps, "db">, actor: Actor): Me {
  const row = findUser(db, actor.user_id);
  if (!row) throw kernelFail("unauthorized");
  return {
    ...presentUser(row),
    ...(actor.locked ? { locked: true } : {}),
    ...(row.must_change_password === 1 ? { must_change_password: true } : {}),
  };
}

/** Whether this node belongs to a panel, for the sign-in page. */
export function readCpStatus({ panelLink }: Pick<NodeContext, "panelLink">): CpStatus {
  const panel = panelLink.state();
  return {
    connected: panel !== null,
    panel_url: panel?.cp_url ?? null,
    sign_in_available: panel !== null && panel.cp_url !== null,
  };
}

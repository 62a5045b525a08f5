import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { verifyPassword } from "../../../shared/password/index.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import {
  findSessionOfRefresh,
  type IssuedSession,
  type Origin,
  revokeSession,
  rotateSession,
  startSession,
} from "../sessions/index.ts";
import {
  countUsers,
  createUser,
  findCredentials,
  findUser,
  presentUser,
  changePassword as storePassword,
  type User,
} from "../users/index.ts";
import { claimMatches, dropClaimToken } from "./claim.ts";
import { fail, type LoginInput, type Me, type PasswordChange, type SetupInput, type SetupResult } from "./contract.ts";

export type AuthDeps = Pick<NodeContext, "db" | "clock" | "ids" | "bus" | "config" | "tokens" | "attempts" | "seal">;

/** A proven sign-in: what the client keeps. */
export interface SignIn extends IssuedSession {
  access_token: string;
  user: User;
}

function takeAttempt(attempts: Limiter, ip: string): void {
  const wait = attempts.take(networkOf(ip));
  if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
}

function giveAttemptBack(attempts: Limiter, ip: string): void {
  attempts.giveBack(networkOf(ip));
}

/** Creates the owner. Throws `setup_done`, `claim_token_wrong`, `password_unusable`. */
export async function setUpOwner(deps: AuthDeps, input: SetupInput, ip: string): Promise<SetupResult> {
  const assertNoOwner = () => {
    if (countUsers(deps.db) > 0) throw fail("setup_done");
  };
  assertNoOwner();
  takeAttempt(deps.attempts, ip);
  if (!claimMatches(deps.config.data_dir, input.claim_token)) throw fail("claim_token_wrong");
  giveAttemptBack(deps.attempts, ip);
  const owner = { username: input.username, password: input.password, role: "admin" as const };
  const { id, username, created_at } = await createUser(deps, owner, assertNoOwner);
  dropClaimToken(deps.config.data_dir);
  deps.bus.emit("auth.owner_created", { user_id: id, username, ip });
  return { message: "Welcome. You are the admin of this node.", user: { id, username, created_at } };
}

/** Signs in with a password. Takes as long for unknown names. Throws `wrong_credentials`, `too_many_requests`. */
export async function signIn(deps: AuthDeps, input: LoginInput, origin: Origin): Promise<SignIn> {
  takeAttempt(deps.attempts, origin.ip);
  const account = findCredentials(deps.db, input.username);
  const matches = await verifyPassword(input.password, account?.password_hash ?? null);
  // Asked again: while the password was compared the account may have been disabled or given another one.
  const current = matches ? findCredentials(deps.db, input.username) : null;
  if (!account || current?.password_hash !== account.password_hash || current.disabled_at !== null) {
    deps.bus.emit("auth.sign_in_failed", { username: input.username, ip: origin.ip });
    throw fail("wrong_credentials");
  }
  giveAttemptBack(deps.attempts, origin.ip);
  const issued = startSession(deps, account.id, origin);
  deps.bus.emit("auth.signed_in", { user_id: account.id, session_id: issued.session_id, ...origin });
  return completeSignIn(deps, issued);
}

/** Trades a refresh token for a new pair. Throws `refresh_refused`. */
export async function refreshSignIn(deps: AuthDeps, refreshToken: string, ip: string): Promise<SignIn> {
  return completeSignIn(deps, rotateSession(deps, refreshToken, ip));
}

async function completeSignIn(deps: AuthDeps, issued: IssuedSession): Promise<SignIn> {
  const row = findUser(deps.db, issued.user_id);
  if (!row || row.disabled_at !== null) throw kernelFail("unauthorized");
  const access_token = await deps.tokens.sign(issued.user_id, issued.session_id);
  return { ...issued, access_token, user: presentUser(row) };
}

/** Ends every session that one of the tokens belongs to. Always succeeds: tokens of no session are passed over. */
export async function signOut(
  deps: AuthDeps,
  refreshTokens: readonly string[],
  accessTokens: readonly string[],
): Promise<void> {
  const byRefresh = refreshTokens.map((token) => findSessionOfRefresh(deps, token));
  const claims = await Promise.all(accessTokens.map((token) => deps.tokens.verify(token)));
  const sessionIds = new Set([...byRefresh, ...claims.map((claim) => claim?.session_id ?? null)]);
  for (const session_id of sessionIds) {
    if (session_id !== null && revokeSession(deps, session_id)) deps.bus.emit("auth.signed_out", { session_id });
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
  if (!account || !(await verifyPassword(input.current_password, account.password_hash)))
    throw fail("wrong_credentials");
  giveAttemptBack(deps.attempts, ip);
  await storePassword(deps, account, input.new_password, actor.session_id, () => {
    // Two changes at once: the second proved a password that is no longer the current one.
    if (findCredentials(deps.db, actor.username)?.password_hash !== account.password_hash)
      throw fail("wrong_credentials");
  });
  deps.bus.emit("auth.password_changed", { user_id: actor.user_id, ip });
}

/** The signed-in user. Throws `unauthorized` when the account vanished meanwhile. */
export function readMe({ db }: Pick<AuthDeps, "db">, actor: Actor): Me {
  const row = findUser(db, actor.user_id);
  if (!row) throw kernelFail("unauthorized");
  return actor.locked ? { ...presentUser(row), locked: true } : presentUser(row);
}

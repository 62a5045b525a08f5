import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
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

export type AuthDeps = Pick<NodeContext, "db" | "clock" | "ids" | "bus" | "config" | "tokens" | "attempts">;

/** A proven sign-in: what the client keeps. */
export interface SignIn extends IssuedSession {
  access_token: string;
  user: User;
}

function takeAttempt(attempts: Limiter, ip: string): void {
  const wait = attempts.take(ip);
  if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
}

/** Creates the owner. Throws `setup_done`, `claim_token_wrong`, `password_unusable`. */
export async function setUpOwner(deps: AuthDeps, input: SetupInput, ip: string): Promise<SetupResult> {
  const assertNoOwner = () => {
    if (countUsers(deps.db) > 0) throw fail("setup_done");
  };
  assertNoOwner();
  takeAttempt(deps.attempts, ip);
  if (!claimMatches(deps.config.data_dir, input.claim_token)) throw fail("claim_token_wrong");
  deps.attempts.giveBack(ip);
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
  if (!account || !matches || account.disabled_at !== null) {
    deps.bus.emit("auth.sign_in_failed", { username: input.username, ip: origin.ip });
    throw fail("wrong_credentials");
  }
  deps.attempts.giveBack(origin.ip);
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

/** Ends the session that the refresh token, or else the access token, belongs to. Always succeeds. */
export async function signOut(deps: AuthDeps, refreshToken: string | null, accessToken: string | null): Promise<void> {
  const byRefresh = refreshToken === null ? null : findSessionOfRefresh(deps, refreshToken);
  const byAccess = accessToken === null ? null : ((await deps.tokens.verify(accessToken))?.session_id ?? null);
  const sessionId = byRefresh ?? byAccess;
  if (sessionId === null) return;
  revokeSession(deps, sessionId);
  deps.bus.emit("auth.signed_out", { session_id: sessionId });
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
  deps.attempts.giveBack(ip);
  await storePassword(deps, account, input.new_password, actor.session_id);
  deps.bus.emit("auth.password_changed", { user_id: actor.user_id, ip });
}

/** The signed-in user. Throws `unauthorized` when the account vanished meanwhile. */
export function readMe({ db }: Pick<AuthDeps, "db">, actor: Actor): Me {
  const row = findUser(db, actor.user_id);
  if (!row) throw kernelFail("unauthorized");
  return actor.locked ? { ...presentUser(row), locked: true } : presentUser(row);
}

import { kernelFail } from "../../../kernel/http/errors.ts";
import { forAccount, forKnown, forVisitor } from "../../../shared/password/index.ts";
import type { Actor } from "../../actor.ts";
import type { Origin } from "../sessions/index.ts";
import { type SignIn, signInFail } from "../sign-ins/index.ts";
import type { PasswordOutcome } from "../totp/index.ts";
import { type EndedWays, presentUser, usersFail } from "../users/index.ts";
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
import type { Needs } from "./needs.ts";

/** Creates the owner. Throws `setup_done`, `claim_token_wrong`, `password_unusable`. */
export async function setUpOwner(needs: Needs, input: SetupInput, ip: string): Promise<SetupResult> {
  const assertNoOwner = () => {
    if (needs.users.count() > 0) throw fail("setup_done");
  };
  assertNoOwner();
  needs.signIns.takeAttempt(ip);
  if (!claimMatches(needs.config.data_dir, input.claim_token)) {
    throw fail("claim_token_wrong", { field: "claim_token" });
  }
  needs.signIns.giveAttemptBack(ip);
  const owner = { username: input.username, password: input.password, role: "admin" as const, whose: forVisitor(ip) };
  const { id, username, created_at } = await needs.users.create(owner, {
    isAllowed: assertNoOwner,
    also: (user) => needs.bus.emit("auth.owner_created", { user_id: user.id, username: user.username, ip }),
  });
  dropClaimToken(needs.config.data_dir);
  return { message: "Welcome. You are the admin of this node.", user: { id, username, created_at } };
}

/** Signs in with a password. Takes as long for unknown names. Throws `wrong_credentials`, `too_many_requests`. */
export async function signIn(
  needs: Needs,
  input: LoginInput,
  origin: Origin,
  left: AbortSignal,
): Promise<PasswordOutcome> {
  const { ip } = origin;
  needs.signIns.takeAttempt(ip);
  const account = needs.users.findCredentials(input.username);
  // By the network alone, not by who is named: the answer must not tell by its time that there is such an account.
  const asker = needs.sessions.isHome(ip) ? forKnown(null, ip, left) : forVisitor(ip, left);
  const matches = await needs.signIns.comparePassword(ip, asker, input.password, account?.password_hash ?? null);
  // Asked again: while the password was compared the account may have been disabled or given another one.
  const current = matches ? needs.users.findCredentials(input.username) : null;
  if (!account || current?.password_hash !== account.password_hash || current.disabled_at !== null) {
    const failure = { username: input.username, ip, method: "password" as const };
    await needs.db.txAside(() => needs.bus.emit("auth.sign_in_failed", failure));
    throw signInFail("wrong_credentials");
  }
  needs.signIns.giveAttemptBack(ip);
  if (needs.totp.isOn(account.id)) return needs.totp.awaitCode(account);
  const done = await needs.db.txAside(() => needs.signIns.finish(account.id, origin, "password", null));
  return { status: "signed_in", done };
}

/** Trades a refresh token for a new pair; a locked session stays locked. Throws `refresh_refused`, `unauthorized`. */
export function refreshSignIn(needs: Needs, refreshToken: string, ip: string): SignIn {
  const sessionId = needs.sessions.findIdOfRefresh(refreshToken);
  const session = sessionId === null ? null : needs.sessions.find(sessionId);
  // Asked before the trade, which itself counts as a sign of life.
  if (session && session.locked_at === null) needs.lock.note(session, ip);
  return needs.signIns.goOn(needs.sessions.rotate(refreshToken, ip));
}

/** Ends every session that one of the tokens belongs to. Always succeeds: tokens of no session are passed over. */
export async function signOut(
  needs: Needs,
  refreshTokens: readonly string[],
  accessTokens: readonly string[],
  ip: string,
): Promise<void> {
  const byRefresh = refreshTokens.map((token) => needs.sessions.findIdOfRefresh(token));
  // Also by a token that has run out: who comes back after a break signs out with nothing else.
  const byAccess = await Promise.all(accessTokens.map((token) => needs.sessions.tokens.sessionOf(token)));
  const sessionIds = new Set([...byRefresh, ...byAccess]);
  for (const session_id of sessionIds) {
    const session = session_id === null ? null : needs.sessions.find(session_id);
    if (!session) continue;
    needs.db.tx(() => {
      if (!needs.sessions.revoke(session.id)) return;
      needs.bus.emit("auth.signed_out", { user_id: session.user_id, session_id: session.id, ip });
    });
  }
}

/**
 * Changes the actor's password, ends their other sessions and what else lets somebody in and is not kept, and tells how many
 * of each ended. Throws `wrong_credentials`, `password_unusable`.
 */
export async function changeOwnPassword(
  needs: Needs,
  actor: Actor,
  input: PasswordChange,
  ip: string,
  left: AbortSignal,
): Promise<EndedWays> {
  needs.signIns.takeAttempt(ip);
  const account = needs.users.findCredentials(actor.username);
  const asker = forAccount(actor.user_id, ip, left);
  const hash = account?.password_hash ?? null;
  const matches = await needs.signIns.comparePassword(ip, asker, input.current_password, hash);
  if (!account || !matches) {
    needs.bus.emit("auth.password_change_failed", { user_id: actor.user_id, ip });
    throw signInFail("wrong_credentials", { field: "current_password", reason: "is not the one that holds now" });
  }
  needs.signIns.giveAttemptBack(ip);
  // A temporary password, which somebody else has seen, would stay in force.
  if (input.new_password === input.current_password)
    throw usersFail("password_unusable", { field: "new_password", reason: "is the one that you have now" });
  const { session_id } = actor;
  // An app that only let the session in ends with the others.
  const device_id = session_id === null ? actor.device_id : null;
  let ways: EndedWays = {};
  const going = { session_id, device_id, kept: input.keep ?? [], ip, whose: asker };
  await needs.users.changePassword(account, input.new_password, going, {
    before() {
      // Two changes at once: the second proved a password that is no longer the current one.
      if (needs.users.findCredentials(actor.username)?.password_hash !== account.password_hash)
        throw signInFail("wrong_credentials", { field: "current_password", reason: "is not the one that holds now" });
    },
    after(ended) {
      needs.bus.emit("auth.password_changed", { user_id: actor.user_id, ip, ended });
      ways = ended;
    },
  });
  return ways;
}

/** The signed-in user. Throws `unauthorized` when the account vanished meanwhile. */
export function readMe({ users }: Needs, actor: Actor): Me {
  const row = users.find(actor.user_id);
  if (!row) throw kernelFail("unauthorized");
  return {
    ...presentUser(row),
    ...(actor.locked ? { locked: true } : {}),
    ...(row.must_change_password === 1 ? { must_change_password: true } : {}),
  };
}

/** Whether this node belongs to a panel, for the sign-in page. */
export function readCpStatus({ lists }: Needs): CpStatus {
  const known = lists.panels.all().map((read) => read());
  const panel = known.find((each) => each !== null) ?? null;
  return {
    connected: panel !== null,
    panel_url: panel?.url ?? null,
    sign_in_available: panel !== null && panel.url !== null,
  };
}

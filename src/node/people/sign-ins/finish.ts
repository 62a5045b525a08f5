import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { describeDevice } from "../../../lib/user-agent.ts";
import { type IssuedSession, type Origin, REFRESH_TOKEN_MS } from "../sessions/index.ts";
import { presentUser, type User, type UserRow } from "../users/index.ts";
import type { LoginResult, SignedIn, SignInMethod } from "./contract.ts";
import * as credentials from "./credentials.ts";
import type { Needs } from "./needs.ts";

/** A proven sign-in: what the client keeps. */
export interface SignIn extends IssuedSession {
  access_token: string;
  user: User;
}

export type ResponseHeaders = Record<string, string | number | string[]>;

/** Counts one try of an address to prove something secret. Throws `too_many_requests`. */
export function takeAttempt(attempts: Limiter, ip: string): void {
  takeOne(attempts, networkOf(ip));
}

/** Takes back the count of a try that succeeded. */
export function giveAttemptBack(attempts: Limiter, ip: string): void {
  attempts.giveBack(networkOf(ip));
}

/** The account of a session that may go on. Throws `unauthorized` when it is gone or disabled. */
function activeUser({ users }: Pick<Needs, "users">, userId: string): UserRow {
  const row = users.find(userId);
  if (!row || row.disabled_at !== null) throw kernelFail("unauthorized");
  return row;
}

/** Starts a session for a user whose identity has been proven in full; it ends with the paired device `letInBy`. Throws `unauthorized`. */
export function finishSignIn(
  needs: Pick<Needs, "db" | "bus" | "sessions" | "users">,
  userId: string,
  origin: Origin,
  method: SignInMethod,
  letInBy: string | null,
): SignIn {
  return needs.db.tx(() => {
    const user = activeUser(needs, userId);
    const session = needs.sessions.begin(userId, origin, letInBy);
    needs.bus.emit("auth.signed_in", { user_id: userId, session_id: session.session_id, ...origin, method });
    return withAccess(needs, session, user);
  });
}

/** A new access token for a session that goes on. Throws `unauthorized` when the account is gone or disabled. */
export function continueSignIn(needs: Pick<Needs, "sessions" | "users">, issued: IssuedSession): SignIn {
  return withAccess(needs, issued, activeUser(needs, issued.user_id));
}

function withAccess({ sessions }: Pick<Needs, "sessions">, issued: IssuedSession, user: UserRow): SignIn {
  return { ...issued, access_token: sessions.tokens.sign(issued.user_id, issued.session_id), user: presentUser(user) };
}

/** Where a request comes from, for the session list. */
export function originOf(request: Request, ip: string): Origin {
  return { ip, device: describeDevice(request.headers.get("user-agent")) };
}

/** Puts both tokens into cookies, with a hint for the page, and returns what a password sign-in answers. */
export function deliverTokens(headers: ResponseHeaders, done: SignIn, isHttps: boolean): LoginResult {
  headers["set-cookie"] = [
    // It outlives its token, and says who is signed in here until the session can no longer be renewed.
    credentials.sessionCookie(credentials.ACCESS_COOKIE, done.access_token, REFRESH_TOKEN_MS, isHttps),
    credentials.sessionCookie(credentials.REFRESH_COOKIE, done.refresh_token, REFRESH_TOKEN_MS, isHttps),
    credentials.sessionCookie(credentials.HINT_COOKIE, done.session_id, REFRESH_TOKEN_MS, isHttps),
  ];
  return { access_token: done.access_token, refresh_token: done.refresh_token, token_type: "bearer", user: done.user };
}

/** Puts both tokens into cookies and returns what the other ways in answer. */
export function deliverSession(headers: ResponseHeaders, done: SignIn, isHttps: boolean): SignedIn {
  const { access_token, user } = deliverTokens(headers, done, isHttps);
  return { access_token, user };
}

/** Takes all cookies of a session away. */
export function clearCookies(headers: ResponseHeaders, isHttps: boolean): void {
  headers["set-cookie"] = [credentials.ACCESS_COOKIE, credentials.REFRESH_COOKIE, credentials.HINT_COOKIE].map((name) =>
    credentials.sessionCookie(name, "", 0, isHttps),
  );
}

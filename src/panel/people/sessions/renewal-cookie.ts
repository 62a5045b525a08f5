import type { Context } from "elysia";
import { assertSameOrigin, readCookie } from "../../../kernel/http/own-page.ts";
import { minutes } from "../../../lib/duration.ts";

type ResponseHeaders = Context["set"]["headers"];

const NAME = "orrery_panel";
/** How long after it was issued a token can be renewed. */
export const REFRESH_WINDOW_MS = minutes(14 * 24 * 60);

function serialize(token: string, maxAgeMs: number, secure: boolean): string {
  return new Bun.Cookie(NAME, token, {
    path: "/api/auth",
    httpOnly: true,
    sameSite: "strict",
    secure,
    maxAge: Math.floor(maxAgeMs / 1000),
  }).serialize();
}

/**
 * Leaves the token with the browser, out of reach of any script, so that a session outlives a reload. It is read only where an
 * expired token is good too: to renew, and to sign out. Gives the answer back. `others` are cookies that go with it.
 */
export function leaveToken<Answer extends { token?: string }>(
  headers: ResponseHeaders,
  isHttps: boolean,
  answer: Answer,
  others: readonly string[] = [],
): Answer {
  if (answer.token !== undefined)
    headers["set-cookie"] = [serialize(answer.token, REFRESH_WINDOW_MS, isHttps), ...others];
  return answer;
}

/** Takes the token away from the browser. */
export function takeToken(headers: ResponseHeaders, isHttps: boolean): void {
  headers["set-cookie"] = serialize("", 0, isHttps);
}

/** The token that the browser kept; null when there is none. Throws `csrf_refused` when a page of another site sent it. */
export function keptToken(request: Request, allowedOrigins: readonly string[]): string | null {
  const token = readCookie(request, NAME);
  if (token !== null) assertSameOrigin(request, allowedOrigins);
  return token;
}

import { readCookie } from "../../../kernel/http/own-page.ts";

export const ACCESS_COOKIE = "access_token";
export const REFRESH_COOKIE = "refresh_token";
/** Tells the page, which cannot read the other two, that somebody may be signed in, by which session; it opens nothing. */
export const HINT_COOKIE = "signed_in";

/** The access token of a request, and whether the browser added it by itself. */
export function readAccessToken(request: Request): { token: string; fromCookie: boolean } | null {
  const header = request.headers.get("authorization");
  if (header && /^bearer /i.test(header)) return { token: header.slice(7).trim(), fromCookie: false };
  const token = readCookie(request, ACCESS_COOKIE);
  return token === null ? null : { token, fromCookie: true };
}

/** A `Set-Cookie` value for one of our cookies; an empty value deletes it. */
export function sessionCookie(name: string, value: string, maxAgeMs: number, secure: boolean): string {
  return new Bun.Cookie(name, value, {
    path: name === REFRESH_COOKIE ? "/api/auth" : "/",
    httpOnly: name !== HINT_COOKIE,
    sameSite: "lax",
    secure,
    maxAge: Math.floor(maxAgeMs / 1000),
  }).serialize();
}

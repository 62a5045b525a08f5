import { readCookie } from "../../../kernel/http/own-page.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import type { Ids } from "../../../lib/ids.ts";
import { FLOW_MS } from "./flows.ts";

/** Over https no other site of the domain can plant a cookie of this name. */
const nameOf = (isHttps: boolean): string => (isHttps ? "__Host-orrery_sso" : "orrery_sso");

/** The mark of this browser: the one it has, so that two tabs can be on the way at once, else a new one. */
export function markBrowser(ids: Ids, request: Request, isHttps: boolean): { mark: string; cookie: string } {
  const had = readCookie(request, nameOf(isHttps));
  const mark = had !== null && /^[A-Za-z0-9_-]{43}$/.test(had) ? had : ids.token(32);
  const cookie = new Bun.Cookie(nameOf(isHttps), mark, {
    ...{ path: "/", httpOnly: true, secure: isHttps, maxAge: Math.floor((FLOW_MS * 2) / 1000) },
    // Lax: the provider sends the browser back, and the mark has to come along.
    sameSite: "lax",
  });
  return { mark, cookie: cookie.serialize() };
}

/** True when a request comes from the browser with this mark. */
export function isBrowser(request: Request, isHttps: boolean, mark: string): boolean {
  const had = readCookie(request, nameOf(isHttps));
  return had !== null && constantTimeEqual(had, mark);
}

import { kernelFail } from "../../../kernel/http/errors.ts";

export const ACCESS_COOKIE = "access_token";
export const REFRESH_COOKIE = "refresh_token";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** One cookie of a request; null when it is not there. */
export function readCookie(request: Request, name: string): string | null {
  const header = request.headers.get("cookie");
  return header === null ? null : new Bun.CookieMap(header).get(name);
}

/** The access token of a request, and whether the browser added it by itself. */
export function readAccessToken(request: Request): { token: string; fromCookie: boolean } | null {
  const header = request.headers.get("authorization");
  if (header?.startsWith("Bearer ")) return { token: header.slice(7), fromCookie: false };
  const token = readCookie(request, ACCESS_COOKIE);
  return token === null ? null : { token, fromCookie: true };
}

/** True when the page that sent the request came from this very origin. Plain http sends only `Origin`. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && URL.canParse(origin) && new URL(origin).host === request.headers.get("host");
}

/** Refuses a changing request that carries cookies but was not sent by our own page. Throws `csrf_refused`. */
export function assertSameOrigin(request: Request, allowedOrigins: readonly string[]): void {
  if (SAFE_METHODS.has(request.method) || isSameOrigin(request)) return;
  if (allowedOrigins.includes(request.headers.get("origin") ?? "")) return;
  throw kernelFail("csrf_refused");
}

/** True when the browser reached us over TLS, as far as a trusted proxy tells. */
export function isHttps(request: Request, trustsProxy: boolean): boolean {
  return request.url.startsWith("https:") || (trustsProxy && request.headers.get("x-forwarded-proto") === "https");
}

/** A `Set-Cookie` value for one of our two cookies; an empty value deletes it. */
export function sessionCookie(name: string, value: string, maxAgeMs: number, secure: boolean): string {
  return new Bun.Cookie(name, value, {
    path: name === REFRESH_COOKIE ? "/api/auth" : "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
    maxAge: Math.floor(maxAgeMs / 1000),
  }).serialize();
}

/** A short name of the device for the session list, from the user agent. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|orrery)/.exec(userAgent)?.[1] ?? "Unknown browser";
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", orrery: "Orrery command line" };
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1];
  const name = names[browser] ?? browser;
  return system ? `${name} on ${system.replace("Mac OS X", "macOS")}` : name;
}

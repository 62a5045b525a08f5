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
  if (header && /^bearer /i.test(header)) return { token: header.slice(7).trim(), fromCookie: false };
  const token = readCookie(request, ACCESS_COOKIE);
  return token === null ? null : { token, fromCookie: true };
}

/** True for what can change something. A socket counts: its upgrade is a GET, and browsers let any page open one. */
function isChanging(request: Request): boolean {
  return !SAFE_METHODS.has(request.method) || request.headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** Where a request was sent from, as far as its browser says: `untold` for programs, which send neither header. */
function senderOf(request: Request, allowedOrigins: readonly string[]): "own" | "foreign" | "untold" {
  const origin = request.headers.get("origin");
  if (origin !== null && allowedOrigins.includes(origin)) return "own";
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return "own";
  if (site !== null && site !== "none") return "foreign";
  // Over plain http browsers send only `Origin`.
  if (origin === null) return "untold";
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  // A page cannot add the forwarded header without asking first, so it needs no trusted proxy.
  return host !== null && [request.headers.get("host"), request.headers.get("x-forwarded-host")].includes(host)
    ? "own"
    : "foreign";
}

/** Refuses a changing request that carries cookies but was not sent by our own page. Throws `csrf_refused`. */
export function assertSameOrigin(request: Request, allowedOrigins: readonly string[]): void {
  if (!isChanging(request)) return;
  if (senderOf(request, allowedOrigins) !== "own") throw kernelFail("csrf_refused");
}

/**
 * Refuses a changing request that a page of another site sent, cookies or not: it could sign the visitor in as somebody
 * else, or claim a fresh node that only they can reach. Throws `csrf_refused`.
 */
export function assertNotForeign(request: Request, allowedOrigins: readonly string[]): void {
  if (!isChanging(request)) return;
  if (senderOf(request, allowedOrigins) === "foreign") throw kernelFail("csrf_refused");
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

/** Marks in user agents with the names people know, the telling ones first: Edge also calls itself Chrome and Safari. */
const PROGRAMS = [
  ["orrery", "Orrery command line"],
  ["curl", "curl"],
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** A short name of the device for the session list, from the user agent. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const program = PROGRAMS.find(([mark]) => userAgent.includes(mark))?.[1] ?? "Unknown browser";
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  return system ? `${program} on ${system}` : program;
}

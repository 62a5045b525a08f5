import { kernelFail } from "./errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** One cookie of a request; null when it is not there. */
export function readCookie(request: Request, name: string): string | null {
  const header = request.headers.get("cookie");
  return header === null ? null : new Bun.CookieMap(header).get(name);
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

/**
 * Refuses a page of another site whatever the method, for a GET that signs in: a link could do it to whoever follows it.
 * Over plain http a browser that goes there says no more than that it wants a page. Throws `csrf_refused`.
 */
export function assertNoForeignVisit(request: Request, allowedOrigins: readonly string[]): void {
  const sender = senderOf(request, allowedOrigins);
  const isVisit = sender === "untold" && request.headers.get("accept")?.includes("text/html") === true;
  if (sender === "foreign" || isVisit) throw kernelFail("csrf_refused");
}

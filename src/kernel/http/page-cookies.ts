import { pathStart } from "./request-head.ts";

/** The cookies of a program that are to reach its own page alone. */
export interface PageCookies {
  /** Those that prove who asks. */
  names: readonly string[];
  /** The one that tells the page, at any path, that somebody may be signed in; what is kept for one page ends with `~`. */
  hint: string;
}

/** The part of an address in which a page says its key, before the path of a call. */
const KEY = /^\/~([\w-]{22,64})(?=\/(?:api|ws)\/)/;

/**
 * The key that a page of ours says in the address of a request, which then has the address without it, and the page's own cookies by their
 * plain names; null where there is none.
 */
export function takePageKey(request: Request, { names }: PageCookies): string | null {
  const { url } = request;
  const start = pathStart(url);
  if (!url.startsWith("/~", start)) return null;
  const [found = "", key = ""] = KEY.exec(url.slice(start)) ?? [];
  if (found === "") return null;
  const value = url.slice(0, start) + url.slice(start + found.length);
  Object.defineProperty(request, "url", { value });
  const cookies = request.headers.get("cookie");
  if (cookies !== null) request.headers.set("cookie", onlyOwn(cookies, key, names));
  return key;
}

const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf("="));

/** Without cookies of the plain names, which any program under the host name can leave; read as whoever asks for them later reads. */
function onlyOwn(header: string, key: string, names: readonly string[]): string {
  const kept: string[] = [];
  for (const [name, value] of new Bun.CookieMap(header)) {
    const own = names.find((one) => name === `${one}~${key}`);
    if (own !== undefined || !names.includes(name)) kept.push(`${own ?? name}=${encodeURIComponent(value)}`);
  }
  return kept.join("; ");
}

const withoutValue = (cookie: string): string => cookie.replace(/=[^;]*/, "=").replace(/; Max-Age=\d+/, "; Max-Age=0");

/**
 * Cookies know no ports: what is kept for a host name is sent to every program that answers under it, so to each app of this server too.
 * A page therefore says a key of its own in the path of what it asks for, which it keeps where only its own origin reads, and its cookies
 * are kept for that path and named by the key, so that nobody else gets or leaves any. Those of the plain paths are taken away.
 */
export function keepForPage({ headers }: Response, key: string, { names, hint }: PageCookies): void {
  const given = headers.getSetCookie();
  if (!given.some((cookie) => names.includes(nameOf(cookie)))) return;
  headers.delete("set-cookie");
  for (const cookie of given) {
    const name = nameOf(cookie);
    if (name === hint) headers.append("set-cookie", cookie.replace(/^([^=]*=[^;]+)/, "$1~"));
    else if (!names.includes(name)) headers.append("set-cookie", cookie);
    else {
      headers.append("set-cookie", withoutValue(cookie));
      const ownPath = (_: string, path: string) => `; Path=/~${key}${path === "/" ? "" : path}`;
      headers.append("set-cookie", `${name}~${key}${cookie.slice(name.length)}`.replace(/; Path=(\/[^;]*)/, ownPath));
    }
  }
}

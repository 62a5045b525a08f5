import { kernelFail } from "./errors.ts";

/** A name, an IPv4 address or an IPv6 address in brackets, with a port or without (RFC 9110, 7.2). */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i;

const MAX_KNOWN_HOSTS = 1_000;
const knownHosts = new Map<string, boolean>();

/** True for a `Host` that names one host. Two such headers arrive as one with a comma, which none has. */
function isHost(text: string): boolean {
  const known = knownHosts.get(text);
  if (known !== undefined) return known;
  // The pattern takes `256.1.1.1` and port 99999, no URL does.
  const isGood = HOST.test(text) && URL.canParse(`http://${text}/`);
  // A good one is short; what is not is not worth the memory.
  if (!isGood) return false;
  const oldest = knownHosts.keys().next();
  if (knownHosts.size >= MAX_KNOWN_HOSTS && !oldest.done) knownHosts.delete(oldest.value);
  knownHosts.set(text, true);
  return true;
}

/**
 * Refuses a request whose head leaves open whom it is meant for or what for, before anything reads the address: the
 * runtime then hands out one without scheme and host, or one that cannot be parsed. Throws `invalid_request`.
 */
export function assertReadableHead(request: Request, url: string): void {
  const host = request.headers.get("host");
  if (host === null && !/^https?:/.test(url)) throw badHost("is missing; send the address that you call");
  if (host !== null && !isHost(host)) throw badHost("is not one name or address with an optional port");
  // The router would hand the handler null for such a parameter.
  if (!isDecodable(pathOf(url))) {
    throw kernelFail("invalid_request", { field: "path", reason: "is not valid percent-encoding" });
  }
}

const badHost = (reason: string) => kernelFail("invalid_request", { field: "host", reason });

function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Where the path of a URL begins, of one without scheme and host as well. */
export const pathStart = (url: string): number => (url.startsWith("/") ? 0 : url.indexOf("/", 8));

/** The path part of the URL of a request. */
export function pathOf(url: string): string {
  const start = pathStart(url);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** What the query of a request's URL says; the rest of the URL is not looked at. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf("?", pathStart(url));
  return new URLSearchParams(start === -1 ? "" : url.slice(start));
}

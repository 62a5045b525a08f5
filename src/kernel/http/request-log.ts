import { Elysia } from "elysia";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../log.ts";
import { kernelFail } from "./errors.ts";

interface Deps {
  log: Log;
  clock: Clock;
  ids: Ids;
  version: string;
}

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Answers belong to who asked; what may be kept says so itself.
  "cache-control": "no-store",
};

const TRUSTWORTHY = /^(https:|http:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/])/;

/** Browsers heed this header only on origins they trust, and complain in the console on every other one. */
function openerPolicy(request: Request): Record<string, string> {
  // Anyone may claim https here: all it brings is one more header.
  const isTrusted = TRUSTWORTHY.test(request.url) || request.headers.get("x-forwarded-proto") === "https";
  return isTrusted ? { "cross-origin-opener-policy": "same-origin" } : {};
}

/** Gives every request an id, security headers and exactly one log line. */
export function requestFrame({ log, clock, ids, version }: Deps) {
  const started = new WeakMap<Request, { id: string; at: number }>();
  return new Elysia({ name: "request-frame" })
    .onRequest(({ request, set }) => {
      const id = ids.next("req");
      started.set(request, { id, at: clock.monotonic() });
      set.headers = { ...SECURITY_HEADERS, ...openerPolicy(request), "x-request-id": id, "x-build": version };
      // Elysia would hand the handler null for such a parameter.
      if (!isDecodable(pathOf(request.url))) {
        throw kernelFail("invalid_request", { field: "path", reason: "is not valid percent-encoding" });
      }
    })
    .onAfterResponse({ as: "global" }, ({ request, set, responseValue }) => {
      const start = started.get(request);
      if (!start) return;
      log.info("request", {
        request_id: start.id,
        method: request.method,
        // The query is left out: it can carry one-time codes.
        path: maskSecrets(pathOf(request.url)),
        status: responseValue instanceof Response ? responseValue.status : (set.status ?? 200),
        ms: Math.round((clock.monotonic() - start.at) * 10) / 10,
      });
    });
}

function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The path part of an absolute URL. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", 8);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** A path whose parts of 35 characters and more are cut: ids of ours are shorter, what is longer may open something. */
function maskSecrets(path: string): string {
  return path.replace(/[^/]{35,}/g, (part) => `${part.slice(0, 8)}…`);
}

import { Elysia } from "elysia";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../log.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { tellAnswered } from "./answered.ts";
import { assertReadableHead, pathOf } from "./request-head.ts";

interface Deps {
  log: Log;
  clock: Clock;
  ids: Ids;
  version: string;
  /** Told of every answer, where somebody wants to know. */
  answerCounts?: AnswerCounts;
}

const TRUSTWORTHY = /^(https:|http:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/])/;

/** What every answer carries. Written out, as it is made for each request: copying a table costs several times as much. */
export function answerHeaders(requestId: string, build: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    // Answers belong to who asked; what may be kept says so itself.
    "cache-control": "no-store",
    "x-request-id": requestId,
    "x-build": build,
  };
}

function frameHeaders(request: Request, url: string, requestId: string, build: string): Record<string, string> {
  const headers = answerHeaders(requestId, build);
  // Browsers heed this one only on origins they trust, and complain in the console on every other one. Anyone may claim
  // https here: all it brings is one more header.
  const isTrusted = TRUSTWORTHY.test(url) || request.headers.get("x-forwarded-proto") === "https";
  if (isTrusted) headers["cross-origin-opener-policy"] = "same-origin";
  return headers;
}

/** Gives every request an id, security headers and exactly one log line, and tells `count` of it. */
export function requestFrame({ log, clock, ids, version, answerCounts }: Deps, count: () => void) {
  const started = new WeakMap<Request, { id: string; at: number }>();
  return new Elysia({ name: "request-frame" })
    .onRequest(({ request, set }) => {
      count();
      const id = ids.next("req");
      started.set(request, { id, at: clock.monotonic() });
      const { url } = request;
      set.headers = frameHeaders(request, url, id, version);
      assertReadableHead(request, url);
    })
    .onAfterResponse({ as: "global" }, ({ request, set, responseValue }) => {
      const start = started.get(request);
      if (!start) return;
      const status = responseValue instanceof Response ? responseValue.status : (set.status ?? 200);
      answerCounts?.note(Number(status));
      tellAnswered(request, Number(status));
      log.info("request", {
        request_id: start.id,
        method: request.method,
        // The query is left out: it can carry one-time codes.
        path: maskSecrets(pathOf(request.url)),
        status,
        ms: Math.round((clock.monotonic() - start.at) * 10) / 10,
      });
    });
}

/** A part that is long enough to open something, and the key of a page, which is taken out of a path before where it is at its place. */
const SECRET_PART = /[^/]{35,}|(?:~|%7e)[\w-]{22,}/gi;

/** A path whose parts of 35 characters and more are cut: ids of ours are shorter, what is longer may open something. */
function maskSecrets(path: string): string {
  return path.length < 24 ? path : path.replace(SECRET_PART, (part) => `${part.slice(0, 8)}…`);
}

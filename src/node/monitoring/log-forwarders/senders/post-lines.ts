import { createOutgoing, OutgoingError, type OutgoingReply } from "../../../../kernel/outgoing/index.ts";
import { hours, seconds } from "../../../../lib/duration.ts";
import { explainStatus } from "./explain.ts";
import { ANYWHERE } from "./reach.ts";
import { cleanWords, failed, type SenderPorts, type SendResult } from "./sender.ts";

const TIMEOUT_MS = seconds(20);
const MOST_WAIT_MS = hours(1);
/** Statuses that say something about the lines, not about the way. */
const REFUSALS: ReadonlySet<number> = new Set([400, 415, 422]);

/** Milliseconds until the time of a `Retry-After` header (seconds or a date); null without a readable one. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined || header.trim() === "") return null;
  const count = Number(header);
  const ms = Number.isFinite(count) ? seconds(count) : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(MOST_WAIT_MS, Math.max(0, Math.round(ms)));
}

function judge({ status, headers }: OutgoingReply, said: string, now: number): SendResult {
  const retry_after_ms = parseRetryAfter(headers["retry-after"], now);
  const isTaken = status >= 200 && status < 300;
  if (isTaken) return { status: "taken", code: status, words: said, retry_after_ms: null };
  const words = said === "" ? explainStatus(status) : `${explainStatus(status)} It says: ${said}`;
  if (status === 413) return { status: "too_large", code: status, words, retry_after_ms };
  return { status: REFUSALS.has(status) ? "refused" : "failed", code: status, words, retry_after_ms };
}

/** What posts JSON to one place. */
export function createPoster({ clock, ownPorts }: SenderPorts, ca: string | undefined, secret: string | null) {
  const outgoing = createOutgoing({ clock, allowed: ANYWHERE, ownPorts, ...(ca === undefined ? {} : { ca }) });
  return async (url: string, headers: Record<string, string>, body: string): Promise<SendResult> => {
    try {
      const reply = await outgoing.request({
        method: "POST",
        url,
        headers: { "content-type": "application/json", ...headers },
        body,
        timeoutMs: TIMEOUT_MS,
        maxReplyBytes: 4_096,
        cutReply: true,
      });
      return judge(reply, cleanWords(reply.body, secret, url), clock.now());
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      return { ...failed(cleanWords(error.message, secret, url)), code: error.status };
    }
  };
}

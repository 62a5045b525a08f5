import { OutgoingError, type OutgoingReply } from "../../../../kernel/outgoing/index.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { Ports, SendResult } from "./provider.ts";

/** Statuses that say something about the message, not about the way. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422]);
/** Short enough that one dead receiver does not hold up the others. */
const TIMEOUT_MS = seconds(15);

/** Milliseconds until the time of a `Retry-After` header (seconds or a date); null without a readable one. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined || header.trim() === "") return null;
  const count = Number(header);
  const ms = Number.isFinite(count) ? seconds(count) : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, Math.round(ms));
}

/** Posts a message and judges the answer; `read` refines what the status alone says. */
export async function postMessage(
  { outgoing, clock }: Ports,
  request: { url: string; body: string; headers?: Record<string, string> },
  read: (reply: OutgoingReply) => Partial<SendResult> = () => ({}),
): Promise<SendResult> {
  try {
    const reply = await outgoing.request({
      method: "POST",
      url: request.url,
      headers: { "content-type": "application/json", "user-agent": "Orrery", ...request.headers },
      body: request.body,
      asker: "alert channels",
      timeoutMs: TIMEOUT_MS,
      maxReplyBytes: 16_384,
    });
    const isGood = reply.status >= 200 && reply.status < 300;
    const otherwise = REFUSALS.has(reply.status) ? "refused" : "failed";
    return {
      status: isGood ? "delivered" : otherwise,
      code: reply.status,
      provider_message: reply.body,
      retry_after_ms: parseRetryAfter(reply.headers["retry-after"], clock.now()),
      ...read(reply),
    };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { status: "failed", code: error.status, provider_message: error.message, retry_after_ms: null };
  }
}

/** What is wrong with an address that is a secret, or null. */
export function checkSecretUrl(url: string): string | null {
  const isAddress = URL.canParse(url) && /^https?:\/\/\S+$/.test(url);
  return isAddress ? null : "must be the whole address that begins with https://";
}

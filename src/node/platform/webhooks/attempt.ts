import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { seconds } from "../../../lib/duration.ts";
import { hideQuoted } from "../../../lib/hide-quoted.ts";
import type { NodeBase } from "../../base.ts";
import type { DeliveryRow } from "./delivery-store.ts";
import type { Outcome } from "./outcome.ts";
import { signatureHeaders } from "./sign.ts";
import type { WebhookRow } from "./store.ts";

type Deps = Pick<NodeBase, "clock" | "seal" | "outgoing" | "version">;

const TIMEOUT_MS = seconds(30);
const KEPT_REPLY_BYTES = 4 * 1024;
/** What is quoted in them is hidden first, which may make them shorter. */
const READ_REPLY_BYTES = 4 * KEPT_REPLY_BYTES;

/** The secrets that sign now: the current one, then the one before while its time lasts. */
function secretsOf({ clock, seal }: Deps, webhook: WebhookRow): [string, ...string[]] {
  const { secret, previous_secret, previous_until } = webhook;
  const isBeforeValid = previous_secret !== null && previous_until !== null && previous_until > clock.now();
  const before = isBeforeValid ? [seal.open(webhook.id, previous_secret)] : [];
  return [seal.open(webhook.id, secret), ...before];
}

/** Milliseconds that `Retry-After` asks for, as seconds or as a date; 0 when it says nothing usable. */
export function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const wait = /^\d{1,9}$/.test(value) ? seconds(Number(value)) : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : 0;
}

const cutReply = (body: string): string => Buffer.from(body).subarray(0, KEPT_REPLY_BYTES).toString("utf8");

/** Signs the stored bytes and sends them once. Never throws for anything that the receiver or the network does. */
export async function attempt(deps: Deps, webhook: WebhookRow, delivery: DeliveryRow, body: string): Promise<Outcome> {
  const { clock, outgoing, version } = deps;
  const begun = clock.monotonic();
  const secrets = secretsOf(deps, webhook);
  const clean = (said: string): string => hideQuoted(said, secrets, [webhook.url]);
  const headers = {
    "content-type": "application/json",
    "user-agent": `Orrery/${version}`,
    ...signatureHeaders(secrets, delivery.message_id, clock.now(), body),
  };
  try {
    const reply = await outgoing.request({
      method: "POST",
      url: webhook.url,
      headers,
      body,
      asker: webhook.created_by ?? "webhooks",
      timeoutMs: TIMEOUT_MS,
      cutReply: true,
      maxReplyBytes: READ_REPLY_BYTES,
      reuse: true,
    });
    const isOk = reply.status >= 200 && reply.status < 300;
    return {
      isOk,
      status_code: reply.status,
      duration_ms: reply.duration_ms,
      error: isOk ? null : `The receiver answered ${reply.status}; only 200 to 299 count as delivered.`,
      reply: cutReply(clean(reply.body)),
      retryAfterMs: readRetryAfter(reply.headers["retry-after"], clock.now()),
    };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const duration_ms = Math.round(clock.monotonic() - begun);
    return {
      isOk: false,
      status_code: error.status,
      duration_ms,
      error: clean(error.message),
      reply: null,
      retryAfterMs: 0,
    };
  }
}

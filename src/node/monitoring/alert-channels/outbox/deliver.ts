import { toIso } from "../../../../lib/clock.ts";
import { sha256Hex } from "../../../../lib/digest.ts";
import { hideQuoted } from "../../../../lib/hide-quoted.ts";
import { parseJson } from "../../../../lib/json.ts";
import type { ChannelRow } from "../channels/channel-store.ts";
import { openSecret } from "../channels/secret.ts";
import type { Needs } from "../needs.ts";
import { type Message, PROVIDERS, type SendResult, type Way } from "../providers/index.ts";
import { collapse } from "./collapse.ts";
import { finishDelivery, insertDelivery } from "./delivery-store.ts";
import type { EnqueueDeps } from "./enqueue.ts";
import type { OutboxRow } from "./outbox-store.ts";
import { grantWait } from "./retry.ts";

export type DeliverDeps = EnqueueDeps & Pick<Needs, "ids" | "seal" | "bus" | "outgoing" | "log">;

/** One attempt and what came of it; the provider is granted what it has in `retry_after_ms`. */
export interface Attempt extends SendResult {
  delivery_id: string;
  latency_ms: number;
}

const MAX_TEXT = 1_000;

/** The provider's words without the secret in them: an address or token may be quoted in an error. */
function redact(text: string, secret: string | null, { urls }: Way): string {
  const hidden = hideQuoted(text, secret === null ? [] : [secret], urls);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return hidden.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "").slice(0, MAX_TEXT);
}

/** The same for the same notices, whenever they are sent. */
const keyOf = (rows: readonly OutboxRow[]): string =>
  `msg_${sha256Hex(rows.map(({ channel_id, seq }) => `${channel_id}/${seq}`).join()).slice(0, 32)}`;

/** What is left when something of ours breaks: the notices wait, as after any failure. */
export function broken({ log }: Pick<DeliverDeps, "log">, { id }: ChannelRow, error: unknown): SendResult {
  log.error("alert channel broke", { channel_id: id, error });
  const provider_message = "Something failed inside; the log has the cause.";
  return { status: "failed", code: null, provider_message, retry_after_ms: null };
}

/** The channel's way out. A secret that cannot be read any more fails each attempt, where it is seen. */
function openWay(deps: DeliverDeps, channel: ChannelRow): { way: Way; secret: string | null } {
  try {
    const secret = openSecret(deps, channel);
    return { way: PROVIDERS[channel.type].open(parseJson(channel.config), secret), secret };
  } catch (error) {
    const failed = broken(deps, channel, error);
    const provider_message = "The stored configuration cannot be read. Enter it and the secret again.";
    const way: Way = {
      urls: [],
      secretPath: "",
      render: () => ({ subject: "", payload: "", isCut: false }),
      send: async () => ({ ...failed, provider_message }),
    };
    return { way, secret: null };
  }
}

async function attempt(
  deps: DeliverDeps,
  channel: ChannelRow,
  rows: readonly OutboxRow[],
  way: Way,
  isPlain: boolean,
): Promise<Attempt> {
  const { db, clock, ids } = deps;
  const now = clock.now();
  const key = keyOf(rows);
  const message: Message = {
    key,
    server: deps.identity.name(),
    sent_at: toIso(now),
    entries: collapse(rows, now),
    isPlain,
  };
  const id = ids.next("dlv");
  db.tx(() =>
    insertDelivery(
      db,
      {
        id,
        channel_id: channel.id,
        channel_name: channel.name,
        channel_type: channel.type,
        attempt: channel.failures + 1,
        plain: Number(isPlain),
        test: Number(rows.some(({ is_test }) => is_test === 1)),
        at: now,
      },
      rows,
    ),
  );
  const begun = clock.monotonic();
  const send = async () => way.send(deps, way.render(message), key);
  const result = await send().catch((error: unknown) => broken(deps, channel, error));
  const retry_after_ms = grantWait(result.retry_after_ms);
  return { ...result, retry_after_ms, delivery_id: id, latency_ms: Math.round(clock.monotonic() - begun) };
}

/** Writes down what came of an attempt; belongs into the transaction that settles its notices. */
export function recordAttempt({ db }: Pick<DeliverDeps, "db">, attempt: Attempt): void {
  finishDelivery(db, {
    id: attempt.delivery_id,
    status: attempt.status === "delivered" ? "delivered" : "failed",
    code: attempt.code,
    latency_ms: attempt.latency_ms,
    provider_text: attempt.provider_message,
  });
}

/**
 * Sends notices of one channel as one message, and once more without formatting when the provider refuses it with 400.
 * Never throws for what the provider does. The result is not yet recorded.
 */
export async function sendNotices(
  deps: DeliverDeps,
  channel: ChannelRow,
  rows: readonly OutboxRow[],
): Promise<Attempt> {
  const { way, secret } = openWay(deps, channel);
  const clean = (result: Attempt): Attempt => ({
    ...result,
    provider_message: redact(result.provider_message, secret, way),
  });
  const first = clean(await attempt(deps, channel, rows, way, false));
  if (first.status !== "refused" || first.code !== 400) return first;
  deps.db.tx(() => recordAttempt(deps, first));
  return clean(await attempt(deps, channel, rows, way, true));
}

import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { days, hours, minutes, seconds } from "../../../lib/duration.ts";
import { hideQuoted } from "../../../lib/hide-quoted.ts";
import { byPanel } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { renderMessage, type Speaker, type Told } from "./render.ts";
import * as store from "./store.ts";
import { createTurns } from "./turns.ts";

/** What is older than this is of no use in a chat. */
const KEPT_MS = hours(12);
/** As many of the latest wait for one that does not answer. */
const WAITING_MAX = 500;
/** Nothing arrived for so long, in so many tries: nobody reads there any more. */
const OFF = { afterMs: days(3), failures: 5 };
const DELAYS = [seconds(10), minutes(1), minutes(5), minutes(15), hours(1)];
/** So many rooms are told or wait for their turn. */
const KNOWN_MAX = 500;
/** While some are slow, others are looked for all the same. */
const NEXT_LOOK_MS = seconds(5);
const MESSAGE_MAX = 100;
const TIMEOUT_MS = seconds(15);
const ERROR_MAX = 200;
/**
 * The word or two by which chats say what is wrong. No more of an answer is told: an address may be of something else, which an
 * operator let single sign-on reach on a network of their own.
 */
const WORDS = /^[\w .,'-]{1,60}$/;

/** What the address of a channel is sealed for. */
export const urlPurpose = (id: string): string => `chat_channel.${id}`;

/** Sends one message of a workspace, which says how much came too late for it (`old`); null when it arrived, else why it did not. */
export async function post(
  { outgoing }: Pick<Needs, "outgoing">,
  { tenant_id, service }: Pick<store.ChannelRow, "tenant_id" | "service">,
  url: string,
  speaker: Speaker,
  told: readonly Told[],
  old = 0,
): Promise<string | null> {
  try {
    const { status, body } = await outgoing.request({
      method: "POST",
      url,
      headers: { "content-type": "application/json", "user-agent": "Orrery" },
      body: renderMessage(service, speaker, told, old),
      asker: tenant_id,
      timeoutMs: TIMEOUT_MS,
      maxReplyBytes: 16_384,
      cutReply: true,
    });
    if (status >= 200 && status < 300) return null;
    const words = body.trim();
    return WORDS.test(words)
      ? `The receiver answered ${status}: ${hideQuoted(words, [], [url])}`
      : `The receiver answered ${status}`;
  } catch (error) {
    if (error instanceof OutgoingError) return hideQuoted(error.message, [], [url]).slice(0, ERROR_MAX);
    throw error;
  }
}

/**
 * Tells every channel whose time has come what waits for it, when it is its workspace's turn; what did not arrive is tried again, for half
 * a day. A run ends once nothing is on its way, and looks for others meanwhile.
 */
export function createDelivery(needs: Needs): (signal: AbortSignal) => Promise<void> {
  const { system, clock } = needs;
  const inTurn = createTurns(clock);
  const onTheWay = new Map<string, Promise<void>>();

  async function begin(signal: AbortSignal): Promise<void> {
    if (signal.aborted || onTheWay.size >= KNOWN_MAX) return;
    for (const { tenant_id, id } of await store.listDue(system, clock.now(), KNOWN_MAX)) {
      if (onTheWay.has(id) || onTheWay.size >= KNOWN_MAX) continue;
      const sent = inTurn(tenant_id, id, async () => {
        // It may have been changed while it waited for its turn.
        const channel = signal.aborted ? null : await store.findChannel(system, tenant_id, id);
        if (channel?.is_paused === 0) await deliver(needs, channel);
      });
      const over = sent.finally(() => onTheWay.delete(id));
      over.catch(() => {});
      onTheWay.set(id, over);
    }
  }

  return async (signal) => {
    do {
      await begin(signal);
      const look = new AbortController();
      const sent = Promise.all(onTheWay.values());
      try {
        await Promise.race([sent, clock.sleep(NEXT_LOOK_MS, look.signal)]);
      } finally {
        look.abort();
      }
    } while (onTheWay.size > 0);
  };
}

async function deliver(needs: Needs, channel: store.ChannelRow): Promise<void> {
  const { system, clock, config } = needs;
  // What waited while the room was paused may be of days ago: whoever reads it there would take it for news.
  const since = clock.now() - KEPT_MS;
  const waiting = await store.listWaiting(system, channel, since, MESSAGE_MAX);
  const old = await store.countOld(system, channel, since);
  if (waiting.length === 0) return forgetOld(needs, channel, since, old);
  const speaker = await store.findSpeaker(system, channel.tenant_id);
  const told = waiting.map(({ title, body, link }) => ({
    ...{ title, body },
    url: config.public_url === "" ? "" : `${config.public_url}${link}`,
  }));
  const url = needs.seal.open(urlPurpose(channel.id), channel.sealed_url);
  const error = await post(needs, channel, url, speaker, told, old);
  await system.tx(async (tx) => {
    const now = clock.now();
    const current = await store.findChannel(tx, channel.tenant_id, channel.id);
    // Changed or deleted meanwhile: what was found out is about another one.
    if (!current || current.sealed_url !== channel.sealed_url) return;
    if (error === null) {
      await store.deleteTold(tx, channel, waiting);
      await store.deleteOld(tx, channel, since);
      return store.updateState(tx, arrived(current, now));
    }
    const failures = current.failures + 1;
    const failing_since = current.failing_since ?? now;
    const isOff = failures >= OFF.failures && now - failing_since >= OFF.afterMs;
    const lost = await store.deleteLate(tx, channel, isOff ? now + 1 : now - KEPT_MS, WAITING_MAX);
    const next_at = now + (DELAYS[Math.min(failures, DELAYS.length) - 1] ?? 0);
    const failed = { ...current, next_at, failures, failing_since, last_error: error, dropped: current.dropped + lost };
    await store.updateState(tx, { ...failed, off_at: isOff ? now : null });
    if (!isOff) return;
    const { id: channel_id, tenant_id, name } = current;
    await needs.bus.emit(tx, "chat_channel.off", { by: byPanel(tenant_id), channel_id, name, reason: error });
  });
}

/** Forgets what came too late where there is nothing else to tell, and counts it as given up. */
async function forgetOld({ system }: Needs, channel: store.ChannelRow, since: number, old: number): Promise<void> {
  await system.tx(async (tx) => {
    const current = await store.findChannel(tx, channel.tenant_id, channel.id);
    if (!current) return;
    await store.deleteOld(tx, channel, since);
    await store.updateState(tx, { ...current, dropped: current.dropped + old });
  });
}

/** How a channel is once a message has arrived. */
export const arrived = (channel: store.ChannelRow, now: number): store.ChannelRow => ({
  ...channel,
  ...{ next_at: now, failures: 0, last_error: null, sent_at: now, dropped: 0, failing_since: null, off_at: null },
});

import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { toIso } from "../../../lib/clock.ts";
import { parseJson } from "../../../lib/json.ts";
import type { Actor } from "../../actor.ts";
import type { Ousted } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { CHANNELS_MAX, type ChannelChange, type ChannelInput, type ChatChannel, fail } from "./contract.ts";
import { arrived, post, urlPurpose } from "./deliver.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";
import { CHAT_WORDS } from "./words.ts";

function hostOf(needs: Pick<Needs, "seal">, { id, sealed_url }: store.ChannelRow): string {
  return new URL(needs.seal.open(urlPurpose(id), sealed_url)).host;
}

const present = (needs: Needs, row: store.ChannelRow & { waiting: number }): ChatChannel => ({
  ...{ id: row.id, name: row.name, service: row.service },
  ...{ kinds: readKinds(row.kinds), least_severity: row.least_severity },
  host: hostOf(needs, row),
  sent_at: row.sent_at === null ? null : toIso(row.sent_at),
  ...{ last_error: row.last_error, waiting: row.waiting, dropped: row.dropped },
  off_at: row.off_at === null ? null : toIso(row.off_at),
  paused: row.is_paused === 1,
});

function readKinds(stored: string): string[] {
  const kinds = parseJson(stored);
  return Array.isArray(kinds) ? kinds.filter((kind) => typeof kind === "string") : [];
}

/** The channels of the caller's workspace. */
export async function listOwn(needs: Needs, { db }: Actor): Promise<ChatChannel[]> {
  return (await store.listChannels(db)).map((row) => present(needs, row));
}

async function shown(needs: Needs, actor: Actor, id: string): Promise<ChatChannel> {
  const found = (await listOwn(needs, actor)).find((one) => one.id === id);
  if (!found) throw fail("chat_channel_not_found", { id });
  return found;
}

/** Throws `chat_url_unusable`. */
function checkUrl({ outgoing }: Needs, url: string): string {
  const reason = (why: string) => fail("chat_url_unusable", { reason: why, field: "url" });
  if (!/^https?:\/\/\S+$/.test(url) || !URL.canParse(url)) throw reason("it has to begin with https://.");
  try {
    outgoing.checkUrl(url);
  } catch (error) {
    if (error instanceof OutgoingError) throw reason(error.message);
    throw error;
  }
  return url;
}

/** Adds a channel. Throws `chat_url_unusable`, `chat_channel_limit`. */
export async function addChannel(own: Needs, actor: Actor, ip: string, input: ChannelInput): Promise<ChatChannel> {
  const { tenant_id } = actor;
  const url = checkUrl(own, input.url);
  const id = own.ids.next("cht");
  await own.system.by(actor).tx(async (tx) => {
    await own.tenants.lockMembers(tx, tenant_id);
    if ((await store.countChannels(tx, tenant_id)) >= CHANNELS_MAX) throw fail("chat_channel_limit");
    const { name, service, kinds, least_severity = "warning" } = input;
    const row = { tenant_id, id, name, service, least_severity, kinds: JSON.stringify(kinds) };
    await store.insertChannel(
      tx,
      { ...row, sealed_url: own.seal.seal(urlPurpose(id), url), created_by: actor.member_id },
      own.clock.now(),
    );
    const host = new URL(url).host;
    await own.bus.emit(tx, "chat_channel.add", { by: byMember(actor, ip), channel_id: id, name, host });
  });
  return shown(own, actor, id);
}

/** Changes one. Throws `chat_channel_not_found`, `chat_url_unusable`. */
export async function changeChannel(
  own: Needs,
  actor: Actor,
  ip: string,
  id: string,
  { url, name, service, kinds, least_severity }: ChannelChange,
): Promise<ChatChannel> {
  const { tenant_id } = actor;
  const given = url === undefined ? null : checkUrl(own, url);
  await own.system.by(actor).tx(async (tx) => {
    const before = await store.findChannel(tx, tenant_id, id);
    if (!before) throw fail("chat_channel_not_found", { id });
    const sealed_url = given === null ? before.sealed_url : own.seal.seal(urlPurpose(id), given);
    const chosen = { name, service, sealed_url, least_severity: least_severity ?? before.least_severity };
    await store.updateChannel(tx, { tenant_id, id, ...chosen, kinds: JSON.stringify(kinds) });
    // Whoever has it tell another room answers for it.
    if (given !== null) await store.updateMaker(tx, tenant_id, id, actor.member_id);
    const host = hostOf(own, { ...before, sealed_url });
    await own.bus.emit(tx, "chat_channel.change", { by: byMember(actor, ip), channel_id: id, name, host });
  });
  return shown(own, actor, id);
}

/** Makes the caller answer for one; what waited is sent, and it hears of things again. Throws `chat_channel_not_found`. */
export async function takeOverChannel(own: Needs, actor: Actor, ip: string, id: string): Promise<ChatChannel> {
  await own.system.by(actor).tx(async (tx) => {
    const row = await store.findChannel(tx, actor.tenant_id, id);
    if (!row) throw fail("chat_channel_not_found", { id });
    await store.updateMaker(tx, actor.tenant_id, id, actor.member_id);
    await own.bus.emit(tx, "chat_channel.take_over", { by: byMember(actor, ip), channel_id: id, name: row.name });
  });
  return shown(own, actor, id);
}

/** Deletes one with what waits for it. Throws `chat_channel_not_found`. */
export function removeChannel(own: Needs, actor: Actor, ip: string, id: string): Promise<void> {
  return own.system.by(actor).tx(async (tx) => {
    const row = await store.findChannel(tx, actor.tenant_id, id);
    if (!row) throw fail("chat_channel_not_found", { id });
    await store.deleteChannel(tx, actor.tenant_id, id);
    await own.bus.emit(tx, "chat_channel.remove", { by: byMember(actor, ip), channel_id: id, name: row.name });
  });
}

/** Deletes all of a workspace whose owner did not add them; gives how many that were. */
export async function removeAll({ bus }: Pick<Needs, "bus">, tx: SystemTx, { tenant_id, by }: Ousted): Promise<number> {
  const removed = await store.deleteChannelsOf(tx, tenant_id);
  for (const { id, name } of removed) await bus.emit(tx, "chat_channel.remove", { by, channel_id: id, name });
  return removed.length;
}

/**
 * Sends a message that says what it is, which turns a channel on again where it arrives; `take` counts it and may refuse. Throws
 * `chat_channel_not_found`, `chat_channel_paused`, `chat_not_delivered`.
 */
export async function testChannel(needs: Needs, actor: Actor, id: string, take: () => void): Promise<void> {
  const { tenant_id } = actor;
  const row = await store.findChannel(needs.system.by(actor), tenant_id, id);
  if (!row) throw fail("chat_channel_not_found", { id });
  if (row.is_paused === 1) throw fail("chat_channel_paused", { name: row.name });
  take();
  const url = needs.seal.open(urlPurpose(id), row.sealed_url);
  const speaker = await store.findSpeaker(needs.system.by(actor), tenant_id);
  const told = { ...CHAT_WORDS[speaker.language].test, url: "" };
  const reason = await post(needs, row, url, speaker, [told]);
  if (reason !== null) throw fail("chat_not_delivered", { reason });
  await needs.system.by(actor).tx(async (tx) => {
    const current = await store.findChannel(tx, tenant_id, id);
    // Changed or deleted meanwhile: what was found out is about another one.
    if (current?.sealed_url === row.sealed_url) await store.updateState(tx, arrived(current, needs.clock.now()));
  });
}

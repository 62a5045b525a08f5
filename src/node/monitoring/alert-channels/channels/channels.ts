import { toIso } from "../../../../lib/clock.ts";
import { parseJson } from "../../../../lib/json.ts";
import { sendsElsewhere } from "../../../makers.ts";
import { type Channel, type ChannelChange, type ChannelInput, fail } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { countQueued, dropQueued } from "../outbox/outbox-store.ts";
import { PROVIDERS, presentConfig } from "../providers/index.ts";
import * as store from "./channel-store.ts";
import { checkChannel } from "./check-channel.ts";
import { isPaused } from "./paused.ts";
import { openSecret, sealSecret } from "./secret.ts";

type Deps = Pick<Needs, "db" | "clock" | "ids" | "seal" | "bus" | "outgoing" | "lists">;
type ReadDeps = Pick<Needs, "db" | "lists">;

/** Who asks, for the audit log. */
export interface By {
  user_id: string;
  ip: string;
}

const MAX_CHANNELS = 50;

function stateOf(deps: ReadDeps, row: store.ChannelRow): Channel["state"] {
  if (row.enabled === 0) return "off";
  if (isPaused(deps, row)) return "paused";
  if (row.failures > 0) return "failing";
  return row.last_delivery_at === null ? "unused" : "working";
}

function presentChannel(deps: ReadDeps, row: store.ChannelRow): Channel {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    enabled: row.enabled === 1,
    config: presentConfig(row.type, parseJson(row.config)),
    has_secret: row.secret !== null,
    state: stateOf(deps, row),
    failing_since: row.failing_since,
    last_delivery_at: row.last_delivery_at,
    last_error: row.last_error,
    queued: countQueued(deps.db, row.id),
    created_at: row.created_at,
  };
}

/** The row of a channel. Throws `channel_not_found`. */
export function getChannelRow({ db }: Pick<Needs, "db">, id: string): store.ChannelRow {
  const row = store.findChannel(db, id);
  if (!row) throw fail("channel_not_found", { id });
  return row;
}

/** A channel as one may see it who is no admin: the path of an address is often its password. */
function hidePath(channel: Channel): Channel {
  return "url" in channel.config
    ? { ...channel, config: { ...channel.config, url: `${new URL(channel.config.url).origin}/…` } }
    : channel;
}

/** All channels, oldest first, without their secrets; addresses in full for admins only. */
export const listChannels = (deps: ReadDeps, isAdmin: boolean): Channel[] =>
  store
    .listChannels(deps.db)
    .map((row) => presentChannel(deps, row))
    .map((channel) => (isAdmin ? channel : hidePath(channel)));

/** One channel, as in the list. Throws `channel_not_found`. */
export function getChannel(deps: ReadDeps, id: string, isAdmin: boolean): Channel {
  const channel = presentChannel(deps, getChannelRow(deps, id));
  return isAdmin ? channel : hidePath(channel);
}

function checkName({ db }: Pick<Needs, "db">, name: string, ownId: string | null): string {
  const trimmed = name.trim();
  const holder = store.findChannelByName(db, trimmed);
  if (holder && holder.id !== ownId) throw fail("channel_name_taken", { name: trimmed });
  return trimmed;
}

/** Makes a channel. Throws `invalid_request`, `channel_secret_missing`, `channel_name_taken`, `channel_limit`. */
export function createChannel(deps: Deps, by: By, input: ChannelInput): Channel {
  const { db, clock, ids, bus } = deps;
  const config = input.config ?? {};
  checkChannel(deps, input.type, config, input.secret ?? null);
  return db.tx(() => {
    if (store.listChannels(db).length >= MAX_CHANNELS) throw fail("channel_limit", { limit: MAX_CHANNELS });
    const id = ids.next("chn");
    const name = checkName(deps, input.name, null);
    store.insertChannel(db, {
      id,
      name,
      type: input.type,
      enabled: Number(input.enabled ?? true),
      config: JSON.stringify(config),
      secret: input.secret === undefined ? null : sealSecret(deps, id, input.secret),
      created_at: toIso(clock.now()),
      created_by: by.user_id,
    });
    bus.emit("channel.created", { ...by, channel_id: id, name, type: input.type });
    return getChannel(deps, id, true);
  });
}

/** The secret after a change, in clear. Throws `channel_secret_again` when a stored one would travel another way. */
function nextSecret(deps: Deps, row: store.ChannelRow, { config, secret }: ChannelChange): string | null {
  if (secret !== undefined) return secret;
  const stored = openSecret(deps, row);
  if (stored === null || config === undefined) return stored;
  const { open, secret: spec } = PROVIDERS[row.type];
  const before = open(parseJson(row.config), stored).secretPath;
  const after = checkChannel(deps, row.type, config, stored).secretPath;
  if (before !== after) throw fail("channel_secret_again", { secret: spec.name });
  return stored;
}

/**
 * Changes a channel; what waits is tried again at once, and dropped when the channel is switched off. Throws as
 * `createChannel` does, and `channel_not_found`, `channel_secret_again`.
 */
export function changeChannel(deps: Deps, by: By, id: string, change: ChannelChange): Channel {
  const { db, clock, bus } = deps;
  return db.tx(() => {
    const row = getChannelRow(deps, id);
    const secret = nextSecret(deps, row, change);
    const config = change.config ?? parseJson(row.config);
    checkChannel(deps, row.type, config, secret);
    const name = change.name === undefined ? row.name : checkName(deps, change.name, id);
    const enabled = Number(change.enabled ?? row.enabled === 1);
    store.updateChannel(db, {
      id,
      name,
      enabled,
      config: JSON.stringify(config),
      secret: change.secret === undefined || secret === null ? secret && row.secret : sealSecret(deps, id, secret),
    });
    if (sendsElsewhere(change)) store.updateMaker(db, id, by.user_id);
    if (enabled === 0) dropQueued(db, id, clock.now());
    bus.emit("channel.changed", { ...by, channel_id: id, name, type: row.type, fields: Object.keys(change) });
    return getChannel(deps, id, true);
  });
}

/** Makes an admin answer for a channel; what waited is sent, and it hears of alerts again. Throws `channel_not_found`. */
export function takeOverChannel(deps: Deps, by: By, id: string): Channel {
  const { db, bus } = deps;
  return db.tx(() => {
    const { name, type } = getChannelRow(deps, id);
    store.updateMaker(db, id, by.user_id);
    bus.emit("channel.taken_over", { ...by, channel_id: id, name, type });
    return getChannel(deps, id, true);
  });
}

/** Deletes a channel with what waits for it; its trail stays. Throws `channel_not_found`. */
export function deleteChannel(deps: Pick<Deps, "db" | "bus">, by: By, id: string): void {
  const { db, bus } = deps;
  db.tx(() => {
    const { name, type } = getChannelRow(deps, id);
    store.deleteChannel(db, id);
    bus.emit("channel.deleted", { ...by, channel_id: id, name, type });
  });
}

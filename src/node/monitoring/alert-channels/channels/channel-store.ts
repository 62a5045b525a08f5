import type { Store } from "../../../../kernel/db/store.ts";
import type { ChannelType } from "../contract.ts";

/** A row of `alert_channels`; `next_attempt_at` in milliseconds, flags as 0 and 1. */
export interface ChannelRow {
  id: string;
  name: string;
  type: ChannelType;
  enabled: number;
  /** JSON. */
  config: string;
  secret: string | null;
  failures: number;
  failing_since: string | null;
  last_error: string | null;
  refusals: number;
  next_attempt_at: number;
  last_delivery_at: string | null;
  told_event_id: string | null;
  told_channel_id: string | null;
  created_at: string;
  /** Account that answers for it; null where none is on record. */
  created_by: string | null;
}

export type NewChannel = Pick<
  ChannelRow,
  "id" | "name" | "type" | "enabled" | "config" | "secret" | "created_at" | "created_by"
>;

export function listChannels(db: Store): ChannelRow[] {
  return db.raw.query<ChannelRow, []>("SELECT * FROM alert_channels ORDER BY created_at, id").all();
}

export function findChannel(db: Store, id: string): ChannelRow | null {
  return db.raw.query<ChannelRow, [string]>("SELECT * FROM alert_channels WHERE id = ?").get(id);
}

/** The first of these ids that no channel has; null when all exist. */
export function findUnknownChannel(db: Store, ids: readonly string[]): string | null {
  return ids.find((id) => findChannel(db, id) === null) ?? null;
}

export function findChannelByName(db: Store, name: string): ChannelRow | null {
  return db.raw.query<ChannelRow, [string]>("SELECT * FROM alert_channels WHERE name = ?").get(name);
}

export function insertChannel(db: Store, row: NewChannel): void {
  db.raw
    .query(
      "INSERT INTO alert_channels (id, name, type, enabled, config, secret, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .run(row.id, row.name, row.type, row.enabled, row.config, row.secret, row.created_at, row.created_by);
}

/** Stores what can be edited; what waits is tried again at once. */
export function updateChannel(db: Store, row: Pick<ChannelRow, "id" | "name" | "enabled" | "config" | "secret">): void {
  db.raw
    .query("UPDATE alert_channels SET name = ?, enabled = ?, config = ?, secret = ?, next_attempt_at = 0 WHERE id = ?")
    .run(row.name, row.enabled, row.config, row.secret, row.id);
}

/** Makes an account answer for a channel; what waits is tried at once. */
export function updateMaker(db: Store, id: string, userId: string): void {
  db.raw.query("UPDATE alert_channels SET created_by = ?, next_attempt_at = 0 WHERE id = ?").run(userId, id);
}

export function deleteChannel(db: Store, id: string): void {
  db.raw.query("DELETE FROM alert_channels WHERE id = ?").run(id);
}

export type ChannelHealth = Pick<
  ChannelRow,
  "id" | "failures" | "failing_since" | "last_error" | "refusals" | "next_attempt_at" | "last_delivery_at"
>;

export function updateHealth(db: Store, row: ChannelHealth): void {
  db.raw
    .query(
      `UPDATE alert_channels SET failures = ?, failing_since = ?, last_error = ?, refusals = ?, next_attempt_at = ?,
       last_delivery_at = ? WHERE id = ?`,
    )
    .run(
      row.failures,
      row.failing_since,
      row.last_error,
      row.refusals,
      row.next_attempt_at,
      row.last_delivery_at,
      row.id,
    );
}

/** Notes which other channel was told, under which event; nulls when it is over. */
export function updateTold(db: Store, id: string, eventId: string | null, channelId: string | null): void {
  db.raw
    .query("UPDATE alert_channels SET told_event_id = ?, told_channel_id = ? WHERE id = ?")
    .run(eventId, channelId, id);
}

import type { Store } from "../../../../kernel/db/store.ts";
import type { ForwarderKind, Level, Sources } from "../contract.ts";

/** A row of `log_forwarders`; flags as 0 and 1. */
export interface ForwarderRow {
  id: string;
  name: string;
  kind: ForwarderKind;
  enabled: number;
  /** JSON. */
  config: string;
  secret: string | null;
  sources: Sources;
  min_level: Level | null;
  failing_since: string | null;
  last_error: string | null;
  is_told: number;
  dropped_at: string | null;
  dropped_why: string | null;
  last_sent_at: string | null;
  created_at: string;
  /** Account that answers for it; null where none is on record. */
  created_by: string | null;
}

/** What people decide of a forwarder. */
export type ForwarderSettings = Pick<
  ForwarderRow,
  "id" | "name" | "enabled" | "config" | "secret" | "sources" | "min_level"
>;

/** How a forwarder is doing. */
export type ForwarderHealth = Pick<
  ForwarderRow,
  "failing_since" | "last_error" | "is_told" | "dropped_at" | "dropped_why" | "last_sent_at"
>;

export function listForwarders(db: Store): ForwarderRow[] {
  return db.raw.query<ForwarderRow, []>("SELECT * FROM log_forwarders ORDER BY created_at, id").all();
}

export function findForwarder(db: Store, id: string): ForwarderRow | null {
  return db.raw.query<ForwarderRow, [string]>("SELECT * FROM log_forwarders WHERE id = ?").get(id);
}

export function findForwarderByName(db: Store, name: string): ForwarderRow | null {
  return db.raw.query<ForwarderRow, [string]>("SELECT * FROM log_forwarders WHERE name = ?").get(name);
}

export function insertForwarder(
  db: Store,
  row: ForwarderSettings & Pick<ForwarderRow, "kind" | "created_at" | "created_by">,
): void {
  db.raw
    .query(
      `INSERT INTO log_forwarders (id, name, kind, enabled, config, secret, sources, min_level, created_at, created_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.name,
      row.kind,
      row.enabled,
      row.config,
      row.secret,
      row.sources,
      row.min_level,
      row.created_at,
      row.created_by,
    );
}

export function updateForwarder(db: Store, row: ForwarderSettings): void {
  db.raw
    .query(
      "UPDATE log_forwarders SET name = ?, enabled = ?, config = ?, secret = ?, sources = ?, min_level = ? WHERE id = ?",
    )
    .run(row.name, row.enabled, row.config, row.secret, row.sources, row.min_level, row.id);
}

export function updateHealth(db: Store, id: string, health: ForwarderHealth): void {
  const { failing_since, last_error, is_told, dropped_at, dropped_why, last_sent_at } = health;
  db.raw
    .query(
      `UPDATE log_forwarders SET failing_since = ?, last_error = ?, is_told = ?, dropped_at = ?, dropped_why = ?,
       last_sent_at = ? WHERE id = ?`,
    )
    .run(failing_since, last_error, is_told, dropped_at, dropped_why, last_sent_at, id);
}

/** Makes an account answer for a forwarder. */
export function updateMaker(db: Store, id: string, userId: string): void {
  db.raw.query("UPDATE log_forwarders SET created_by = ? WHERE id = ?").run(userId, id);
}

export function deleteForwarder(db: Store, id: string): void {
  db.raw.query("DELETE FROM log_forwarders WHERE id = ?").run(id);
}

import type { Store } from "../../../kernel/db/store.ts";
import type { Repeat } from "./recurrence.ts";

/** A row of `maintenance_windows`; `rule_ids` as JSON. */
export interface WindowRow {
  id: string;
  name: string;
  start: string;
  end: string;
  timezone: string;
  repeat: Repeat;
  scope: "all" | "rules";
  rule_ids: string;
  created_at: string;
  updated_at: string;
}

/** Every window, newest first. */
export function listWindows(db: Store): WindowRow[] {
  return db.raw.query<WindowRow, []>("SELECT * FROM maintenance_windows ORDER BY id DESC").all();
}

export function findWindow(db: Store, id: string): WindowRow | null {
  return db.raw.query<WindowRow, [string]>("SELECT * FROM maintenance_windows WHERE id = ?").get(id);
}

/** Writes a window, new or known. */
export function saveWindow(db: Store, row: WindowRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO maintenance_windows
         (id, name, start, end, timezone, repeat, scope, rule_ids, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.name,
      row.start,
      row.end,
      row.timezone,
      row.repeat,
      row.scope,
      row.rule_ids,
      row.created_at,
      row.updated_at,
    );
}

/** Removes a window and returns what it was; null when there is none. */
export function deleteWindow(db: Store, id: string): WindowRow | null {
  return db.raw.query<WindowRow, [string]>("DELETE FROM maintenance_windows WHERE id = ? RETURNING *").get(id);
}

import type { Store } from "../../../../kernel/db/store.ts";

/** A row of `app_update_choices`. */
export interface ChoiceRow {
  app_id: string;
  kind: "skip" | "tonight";
  /** The version that it is about; it says nothing about a later one. */
  version: string;
  revision: number;
  /** What the admin allows the new version. */
  permissions: string[];
  /** When the night begins; null for a version that is skipped. */
  due_at: string | null;
  user_id: string;
  ip: string;
}

interface Stored extends Omit<ChoiceRow, "permissions"> {
  permissions: string;
}

function read(row: Stored): ChoiceRow {
  const permissions: string[] = JSON.parse(row.permissions);
  return { ...row, permissions };
}

export function findChoice(db: Store, appId: string): ChoiceRow | null {
  const row = db.raw.query<Stored, [string]>("SELECT * FROM app_update_choices WHERE app_id = ?").get(appId);
  return row ? read(row) : null;
}

export function listDueChoices(db: Store, now: string): ChoiceRow[] {
  const sql = "SELECT * FROM app_update_choices WHERE kind = 'tonight' AND due_at <= ? ORDER BY app_id";
  return db.raw.query<Stored, [string]>(sql).all(now).map(read);
}

/** Writes what was chosen; what was chosen for the app before is forgotten. */
export function writeChoice(db: Store, row: ChoiceRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO app_update_choices (app_id, kind, version, revision, permissions, due_at, user_id, ip)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.app_id,
      row.kind,
      row.version,
      row.revision,
      JSON.stringify(row.permissions),
      row.due_at,
      row.user_id,
      row.ip,
    );
}

export function deleteChoice(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_update_choices WHERE app_id = ?").run(appId);
}

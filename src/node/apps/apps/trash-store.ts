import type { Store } from "../../../kernel/db/store.ts";

/** A row of `app_trash`: kept data of an uninstalled app. */
export interface TrashRow {
  app_id: string;
  name: string;
  template: string;
  display_name: string;
  icon: string;
  /** JSON list of Docker volume names. */
  volumes: string;
  deleted_at: string;
  purge_at: string;
  /** Which set of its volumes was in use. */
  generation: number;
}

export function listTrashRows(db: Store): TrashRow[] {
  return db.raw.query<TrashRow, []>("SELECT * FROM app_trash ORDER BY deleted_at DESC, app_id").all();
}

export function findTrash(db: Store, appId: string): TrashRow | null {
  return db.raw.query<TrashRow, [string]>("SELECT * FROM app_trash WHERE app_id = ?").get(appId);
}

/** Data that an install of this name and template takes up again: the latest, unless its time is over. */
export function findReusableTrash(db: Store, name: string, template: string, now: string): TrashRow | null {
  const sql = `SELECT * FROM app_trash WHERE name = ? AND template = ? AND purge_at > ?
               ORDER BY deleted_at DESC LIMIT 1`;
  return db.raw.query<TrashRow, [string, string, string]>(sql).get(name, template, now);
}

export function listTrashOfTemplate(db: Store, template: string): TrashRow[] {
  const sql = "SELECT * FROM app_trash WHERE template = ? ORDER BY deleted_at DESC, app_id";
  return db.raw.query<TrashRow, [string]>(sql).all(template);
}

export function listTrashDueBefore(db: Store, now: string): TrashRow[] {
  return db.raw.query<TrashRow, [string]>("SELECT * FROM app_trash WHERE purge_at <= ?").all(now);
}

/** Ends the time of kept data: nobody takes it up any more, and what is left of it goes. */
export function endTrash(db: Store, appId: string, now: string): void {
  db.raw.query("UPDATE app_trash SET purge_at = ?2 WHERE app_id = ?1 AND purge_at > ?2").run(appId, now);
}

export function insertTrash(db: Store, row: TrashRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO app_trash (app_id, name, template, display_name, icon, volumes, deleted_at, purge_at,
         generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.app_id,
      row.name,
      row.template,
      row.display_name,
      row.icon,
      row.volumes,
      row.deleted_at,
      row.purge_at,
      row.generation,
    );
}

export function deleteTrash(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_trash WHERE app_id = ?").run(appId);
}

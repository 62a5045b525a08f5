import type { Store } from "../../../kernel/db/store.ts";

/** A row of `backup_put_backs`. */
export interface PutBackRow {
  app_id: string;
  backup_id: string;
  user_id: string;
  ip: string;
  volume: string;
  path: string;
  /** Where its progress is told. */
  op_id: string | null;
  /** 1 once all of it is there, and the app is still to be started. */
  written: number;
}

export const listPutBacks = (db: Store): PutBackRow[] =>
  db.raw.query<PutBackRow, []>("SELECT * FROM backup_put_backs ORDER BY app_id").all();

export const findPutBack = (db: Store, appId: string): PutBackRow | null =>
  db.raw.query<PutBackRow, [string]>("SELECT * FROM backup_put_backs WHERE app_id = ?").get(appId);

/** Writes down that it begins. */
export function insertPutBack(
  db: Store,
  { app_id, backup_id, user_id, ip, volume, path, op_id }: Omit<PutBackRow, "written">,
): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO backup_put_backs (app_id, backup_id, user_id, ip, volume, path, op_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(app_id, backup_id, user_id, ip, volume, path, op_id);
}

export function markWritten(db: Store, appId: string): void {
  db.raw.query("UPDATE backup_put_backs SET written = 1 WHERE app_id = ?").run(appId);
}

export function deletePutBack(db: Store, appId: string): void {
  db.raw.query("DELETE FROM backup_put_backs WHERE app_id = ?").run(appId);
}

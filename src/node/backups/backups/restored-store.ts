import type { Store } from "../../../kernel/db/store.ts";
import { listPending } from "./pending-store.ts";
import { deletePutBack } from "./put-back-store.ts";
import { deleteObjectRestore, HALF, insertHalt, insertRestore, listObjectRestores } from "./store.ts";

/** What is true in a database that was just brought back. */
export interface Restored {
  backup: string;
  at: string;
  bytes: number;
  /** Apps whose volumes are to be made of the backup. */
  apps: readonly string[];
  /** Where its target lies now, and what is kept of that under the target's id. */
  path: string;
  place(targetId: string): string | null;
  /** Whether its buckets and Drives came back with it. */
  hasObjects: boolean;
}

/**
 * The copy of a database was made in the middle of its own backup: here that is completed. Volumes of apps come at the next start, as
 * after a restore that was cut off, and what ran is started again after that. What was being put back of these then is given up: answers the ids of
 * operations that have nothing left to do.
 */
export function markRestored(db: Store, { backup, at, bytes, apps, path, place, hasObjects }: Restored): string[] {
  const row = db.raw.query<{ target: string }, [string]>("SELECT target FROM backups WHERE id = ?").get(backup);
  if (!row) throw new Error(`The database in the backup ${backup} does not know of it. Choose another one.`);
  db.raw
    .query(
      "UPDATE backups SET status = 'completed', cause = NULL, finished_at = ?, size_bytes = ?, damage = NULL WHERE id = ?",
    )
    .run(at, bytes, backup);
  db.raw
    .query(
      `UPDATE backup_targets SET path = ?, place = ?
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM backup_targets AS other WHERE other.path = ? AND other.id <> ?)`,
    )
    .run(path, place(row.target), row.target, path, row.target);
  const before = listPending(db);
  if (hasObjects) for (const { op_id } of listObjectRestores(db)) deleteObjectRestore(db, op_id);
  for (const app of new Set(apps)) {
    deletePutBack(db, app);
    insertRestore(db, {
      app_id: app,
      backup_id: backup,
      user_id: "restore",
      ip: "host",
      source: null,
      op_id: null,
      begun: HALF,
    });
    const runs = db.raw.query("SELECT 1 FROM apps WHERE id = ? AND status IN ('running', 'degraded')").get(app);
    if (runs !== null) insertHalt(db, app, "stop", backup);
  }
  const after = new Set(listPending(db).map(({ op_id }) => op_id));
  return [...new Set(before.flatMap(({ op_id }) => (op_id === null || after.has(op_id) ? [] : [op_id])))];
}

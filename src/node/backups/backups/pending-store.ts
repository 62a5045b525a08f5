import type { Store } from "../../../kernel/db/store.ts";

/** What is put back and not done yet: an app, a file or folder of one, or buckets and Drives. */
export interface PendingRow {
  /** Null for buckets and Drives. */
  app_id: string | null;
  backup_id: string;
  /** Where its progress is told; null where nobody asked. */
  op_id: string | null;
}

/** All that has to go on, of whatever kind. */
export const listPending = (db: Store): PendingRow[] =>
  db.raw
    .query<PendingRow, []>(
      `SELECT app_id, backup_id, op_id FROM backup_restores
       UNION ALL SELECT app_id, backup_id, op_id FROM backup_put_backs
       UNION ALL SELECT NULL, backup_id, op_id FROM backup_object_restores`,
    )
    .all();

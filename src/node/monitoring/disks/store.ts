import type { Store } from "../../../kernel/db/store.ts";

/** A row of `disk_readings`; `reading` as JSON text, `read_at` in milliseconds. */
export interface ReadingRow {
  key: string;
  read_at: number;
  status: string;
  reading: string;
}

/** Disks that nobody has seen for long make room for new ones. */
const KEPT_READINGS = 500;

export function findReading(db: Store, key: string): ReadingRow | null {
  return db.raw.query<ReadingRow, [string]>("SELECT * FROM disk_readings WHERE key = ?").get(key);
}

export function saveReading(db: Store, row: ReadingRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO disk_readings (key, read_at, status, reading) VALUES (?, ?, ?, ?)")
    .run(row.key, row.read_at, row.status, row.reading);
  db.raw
    .query(
      "DELETE FROM disk_readings WHERE key IN (SELECT key FROM disk_readings ORDER BY read_at DESC LIMIT -1 OFFSET ?)",
    )
    .run(KEPT_READINGS);
}

/** Mount points that have been reported as nearly full. */
export function listWarned(db: Store): string[] {
  const sql = "SELECT mount_point FROM disk_space_warnings";
  return db.raw
    .query<{ mount_point: string }, []>(sql)
    .all()
    .map(({ mount_point }) => mount_point);
}

export function addWarned(db: Store, mountPoint: string): void {
  db.raw.query("INSERT OR IGNORE INTO disk_space_warnings (mount_point) VALUES (?)").run(mountPoint);
}

export function removeWarned(db: Store, mountPoint: string): void {
  db.raw.query("DELETE FROM disk_space_warnings WHERE mount_point = ?").run(mountPoint);
}

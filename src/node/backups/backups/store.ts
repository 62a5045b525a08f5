import type { Store } from "../../../kernel/db/store.ts";

/** A row of `backup_targets`; both keys are sealed. */
export interface TargetRow {
  id: string;
  type: "local" | "s3" | "sftp" | "webdav" | "node";
  name: string;
  path: string;
  /** What leads to one that is no folder, sealed. */
  place: string | null;
  repository_key: string;
  kit_key: string;
  created_at: string;
  /** Null: no limit. */
  max_mb_per_second: number | null;
  /** Whether it lay on the disk of this server's data when it was last looked at. */
  own_disk: 0 | 1;
}

export const listTargets = (db: Store): TargetRow[] =>
  db.raw.query<TargetRow, []>("SELECT * FROM backup_targets ORDER BY name").all();

export const findTarget = (db: Store, id: string): TargetRow | null =>
  db.raw.query<TargetRow, [string]>("SELECT * FROM backup_targets WHERE id = ?").get(id);

export function insertTarget(db: Store, row: TargetRow): void {
  db.raw
    .query(
      `INSERT INTO backup_targets (id, type, name, path, place, repository_key, kit_key, created_at, max_mb_per_second, own_disk)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.type,
      row.name,
      row.path,
      row.place,
      row.repository_key,
      row.kit_key,
      row.created_at,
      row.max_mb_per_second,
      row.own_disk,
    );
}

/** In MB a second; null takes the limit away. */
export function limitTarget(db: Store, id: string, most: number | null): void {
  db.raw.query("UPDATE backup_targets SET max_mb_per_second = ? WHERE id = ?").run(most, id);
}

export function noteOwnDisk(db: Store, id: string, own_disk: 0 | 1): void {
  db.raw.query("UPDATE backup_targets SET own_disk = ?1 WHERE id = ?2 AND own_disk <> ?1").run(own_disk, id);
}

/** Its backups and plans go with it. */
export function deleteTarget(db: Store, id: string): void {
  db.raw.query("DELETE FROM backup_targets WHERE id = ?").run(id);
}

/** Whose turn it is to be read in part. */
export const listShares = (db: Store): { id: string; share: number; checked_at: number }[] =>
  db.raw
    .query<{ id: string; share: number; checked_at: number }, []>("SELECT id, share, checked_at FROM backup_targets")
    .all();

export function markShare(db: Store, id: string, at: number, share: number): void {
  db.raw.query("UPDATE backup_targets SET checked_at = ?, share = ? WHERE id = ?").run(at, share, id);
}

/** A row of `backups`. */
export interface BackupRow {
  id: string;
  target: string;
  apps: string;
  include_config: number;
  include_objects: number;
  /** JSON. */
  notes: string;
  status: "in_progress" | "completed" | "failed";
  cause: string | null;
  /** 1 when somebody cancelled it. */
  cancelled: number;
  op_id: string;
  started_at: string;
  finished_at: string | null;
  size_bytes: number;
  added_bytes: number;
  verified_at: string | null;
  damage: string | null;
  made_by: string | null;
  /** The plan that made it; null where somebody asked for it. */
  plan: string | null;
  /** JSON: ids of apps that it was to have and is without, for a fault of their files. */
  left_out: string;
  /** JSON: ids of apps in it of which not all was there when they were copied. */
  half: string;
}

const MOST_LISTED = 500;
const COLUMNS = `id, target, apps, include_config, include_objects, notes, status, cause, cancelled, op_id, started_at, finished_at, size_bytes, added_bytes,
  verified_at, damage, made_by, plan, left_out, half`;

/** Newest first. What is dated ahead of `now` comes last: the clock was wrong then, and it is older than it says. */
export const listBackups = (db: Store, now: string): BackupRow[] =>
  db.raw
    .query<BackupRow, [string, number]>(
      `SELECT ${COLUMNS} FROM backups WHERE forgotten = 0 ORDER BY started_at > ?, started_at DESC, id DESC LIMIT ?`,
    )
    .all(now, MOST_LISTED);

/** Those of this server that ended at that time or later, the oldest first. */
export const listEnded = (db: Store, since: string): BackupRow[] =>
  db.raw
    .query<BackupRow, [string, number]>(
      `SELECT ${COLUMNS} FROM backups WHERE finished_at >= ? AND made_by IS NULL ORDER BY finished_at, id LIMIT ?`,
    )
    .all(since, MOST_LISTED);

/** Notes that it was told how old this one is; false where it was before. */
export const markToldStale = (db: Store, id: string): boolean =>
  db.raw.query("UPDATE backups SET told_stale = 1 WHERE id = ? AND told_stale = 0").run(id).changes > 0;

export const findBackup = (db: Store, id: string): BackupRow | null =>
  db.raw.query<BackupRow, [string]>(`SELECT ${COLUMNS} FROM backups WHERE id = ? AND forgotten = 0`).get(id);

/** Where a backup lies or lay, listed or not: what comes from it knows it for as long as there is such a target. */
export function targetOf(db: Store, id: string): string {
  const row = db.raw.query<{ target: string }, [string]>("SELECT target FROM backups WHERE id = ?").get(id);
  if (!row) throw new Error(`the backup ${id} has no target`);
  return row.target;
}

/** Whether there is one of that id, listed or not. */
export const hasBackup = (db: Store, id: string): boolean =>
  db.raw.query("SELECT 1 FROM backups WHERE id = ?").get(id) !== null;

export function insertBackup(db: Store, row: BackupRow): void {
  db.raw
    .query(
      `INSERT INTO backups (id, target, apps, include_config, include_objects, notes, status, cause, op_id,
         started_at, finished_at, size_bytes, added_bytes, made_by, plan, half)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.target,
      row.apps,
      row.include_config,
      row.include_objects,
      row.notes,
      row.status,
      row.cause,
      row.op_id,
      row.started_at,
      row.finished_at,
      row.size_bytes,
      row.added_bytes,
      row.made_by,
      row.plan,
      row.half,
    );
}

/**
 * Keeps what came of a backup, and the apps that are in it; of those that failed the oldest are forgotten, which no list shows any
 * more.
 */
export function finishBackup(
  db: Store,
  {
    id,
    apps,
    status,
    cause,
    cancelled,
    finished_at,
    size_bytes,
    added_bytes,
    notes,
    left_out,
    half,
  }: Pick<
    BackupRow,
    | "id"
    | "apps"
    | "status"
    | "cause"
    | "cancelled"
    | "finished_at"
    | "size_bytes"
    | "added_bytes"
    | "notes"
    | "left_out"
    | "half"
  >,
): void {
  db.raw
    .query(
      `UPDATE backups SET apps = ?, status = ?, cause = ?, cancelled = ?, finished_at = ?, size_bytes = ?, added_bytes = ?, notes = ?,
         left_out = ?, half = ? WHERE id = ?`,
    )
    .run(apps, status, cause, cancelled, finished_at, size_bytes, added_bytes, notes, left_out, half, id);
  if (status !== "failed") return;
  const newest = "SELECT id FROM backups WHERE status = 'failed' ORDER BY started_at DESC, id DESC LIMIT ?";
  db.raw.query(`DELETE FROM backups WHERE status = 'failed' AND id NOT IN (${newest})`).run(MOST_LISTED);
}

/** What came of reading it back; what was proven before stays so until it is found damaged. */
export function markVerified(db: Store, id: string, at: string, damage: string | null): void {
  db.raw
    .query("UPDATE backups SET verified_at = ?, damage = ? WHERE id = ?")
    .run(damage === null ? at : null, damage, id);
}

export function writeNotes(db: Store, id: string, notes: string): void {
  db.raw.query("UPDATE backups SET notes = ? WHERE id = ?").run(notes, id);
}

const LAST_READ = "SELECT max(verified_at) AS at FROM backups WHERE made_by IS NULL AND verified_at <= ?";

/** When a backup of this server was last read back and found as it was made, as far as the clock has come to it. */
export const lastReadAt = (db: Store, now: string): string | null =>
  db.raw.query<{ at: string | null }, [string]>(LAST_READ).get(now)?.at ?? null;

/** When that was one in which each of its apps is whole. */
export const lastVerifiedAt = (db: Store, now: string): string | null =>
  db.raw.query<{ at: string | null }, [string]>(`${LAST_READ} AND half = '[]'`).get(now)?.at ?? null;

/** Notes of which apps in it not all was there. */
export function markHalf(db: Store, id: string, half: readonly string[]): void {
  db.raw.query("UPDATE backups SET half = ? WHERE id = ?").run(JSON.stringify(half), id);
}

/** All good backups of this server at a target, the oldest first. */
export const listGood = (db: Store, target: string): BackupRow[] =>
  db.raw
    .query<BackupRow, [string]>(
      `SELECT ${COLUMNS} FROM backups
       WHERE target = ? AND status = 'completed' AND made_by IS NULL AND forgotten = 0 ORDER BY started_at, id`,
    )
    .all(target);

export function markForgotten(db: Store, id: string): void {
  db.raw.query("UPDATE backups SET forgotten = 1 WHERE id = ?").run(id);
}

/** Backups that a target would not let go are on the list again. */
export function markKept(db: Store, target: string): void {
  db.raw.query("UPDATE backups SET forgotten = 0 WHERE target = ? AND forgotten = 1").run(target);
}

/** Ids of backups that are to be removed from a target. */
export const listForgotten = (db: Store, target: string): string[] =>
  db.raw
    .query<{ id: string }, [string]>("SELECT id FROM backups WHERE target = ? AND forgotten = 1 ORDER BY id")
    .all(target)
    .map(({ id }) => id);

/** What is gone from its target still counts as a run for a while; what ended before that is deleted. */
export function markRemoved(db: Store, id: string, before: string): void {
  db.raw.query("UPDATE backups SET forgotten = 2 WHERE id = ?").run(id);
  db.raw.query("DELETE FROM backups WHERE forgotten = 2 AND finished_at < ?").run(before);
}

/** A row of `backup_halts`: an app was stopped or paused, or it is a new one that is to run for the first time. */
export interface HaltRow {
  app_id: string;
  mode: "stop" | "pause" | "first";
}

export const listHalts = (db: Store): HaltRow[] =>
  db.raw.query<HaltRow, []>("SELECT app_id, mode FROM backup_halts ORDER BY app_id").all();

export function insertHalt(db: Store, appId: string, mode: HaltRow["mode"], opId: string): void {
  db.raw.query("INSERT OR REPLACE INTO backup_halts (app_id, mode, op_id) VALUES (?, ?, ?)").run(appId, mode, opId);
}

export function deleteHalt(db: Store, appId: string): void {
  db.raw.query("DELETE FROM backup_halts WHERE app_id = ?").run(appId);
}

/**
 * How far an app is that is put back: promised, its data being replaced so that it must not run, or its data whole and it being
 * started.
 */
export const PROMISED = 0;
export const HALF = 1;
export const WHOLE = 2;

/** A row of `backup_restores`. */
export interface RestoreRow {
  app_id: string;
  backup_id: string;
  user_id: string;
  ip: string;
  /** The app of the backup whose data it gets; null: itself. */
  source: string | null;
  /** Where its progress is told; null where nobody asked. */
  op_id: string | null;
  /** `PROMISED`, `HALF` or `WHOLE`. */
  begun: number;
}

export const listRestores = (db: Store): RestoreRow[] =>
  db.raw.query<RestoreRow, []>("SELECT * FROM backup_restores ORDER BY app_id").all();

export const findRestore = (db: Store, appId: string): RestoreRow | null =>
  db.raw.query<RestoreRow, [string]>("SELECT * FROM backup_restores WHERE app_id = ?").get(appId);

export function insertRestore(db: Store, row: RestoreRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO backup_restores (app_id, backup_id, user_id, ip, source, op_id, begun)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.app_id, row.backup_id, row.user_id, row.ip, row.source, row.op_id, row.begun);
}

/** Notes that an app has all of its data, unless that was given up meanwhile. */
export function markWhole(db: Store, appId: string): void {
  db.raw.query("UPDATE backup_restores SET begun = ? WHERE app_id = ?").run(WHOLE, appId);
}

/** Takes back what an operation promised and did not begin. */
export function deletePromised(db: Store, opId: string): void {
  db.raw.query("DELETE FROM backup_restores WHERE begun = ? AND op_id = ?").run(PROMISED, opId);
}

/** A row of `backup_object_restores`. */
export interface ObjectRestoreRow {
  op_id: string;
  backup_id: string;
  user_id: string;
  ip: string;
  /** JSON of what was asked for. */
  wish: string;
}

export const listObjectRestores = (db: Store): ObjectRestoreRow[] =>
  db.raw.query<ObjectRestoreRow, []>("SELECT * FROM backup_object_restores ORDER BY op_id").all();

export function insertObjectRestore(db: Store, { op_id, backup_id, user_id, ip, wish }: ObjectRestoreRow): void {
  db.raw
    .query("INSERT INTO backup_object_restores (op_id, backup_id, user_id, ip, wish) VALUES (?, ?, ?, ?, ?)")
    .run(op_id, backup_id, user_id, ip, wish);
}

export function changeObjectRestore(db: Store, opId: string, wish: string): void {
  db.raw.query("UPDATE backup_object_restores SET wish = ? WHERE op_id = ?").run(wish, opId);
}

/** Whether what an operation put back of buckets and Drives is still to go on. */
export const hasObjectRestore = (db: Store, opId: string): boolean =>
  db.raw.query("SELECT 1 FROM backup_object_restores WHERE op_id = ?").get(opId) !== null;

export function deleteObjectRestore(db: Store, opId: string): void {
  db.raw.query("DELETE FROM backup_object_restores WHERE op_id = ?").run(opId);
}

export function deleteRestore(db: Store, appId: string): void {
  db.raw.query("DELETE FROM backup_restores WHERE app_id = ?").run(appId);
}

/** Writes a whole copy of the database to a new file, as it is at one moment. */
export function copyDatabase(db: Store, path: string): void {
  db.raw.query("VACUUM INTO ?").run(path);
}

/** Whether there is an account of that id now. */
export const hasUser = (db: Store, id: string): boolean =>
  db.raw.query("SELECT 1 FROM users WHERE id = ? AND leaving_at IS NULL").get(id) !== null;

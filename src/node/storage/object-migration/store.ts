import type { Store } from "../../../kernel/db/store.ts";

/** A row of `object_migration`. */
export interface MigrationRow {
  phase: string;
  error_code: string | null;
  error_params: string | null;
  legacy_port: number | null;
  legacy_bytes: number | null;
  total: number;
  leave_out: number;
  is_given_up: number;
  started_at: number;
  switched_at: number | null;
  purge: string;
  freed_bytes: number | null;
}

/** A row of `object_migration_buckets`. */
export interface BucketRow {
  name: string;
  bucket_id: string;
  created_at: number;
  total: number;
  total_bytes: number;
  copied: number;
  bytes: number;
  after: Uint8Array | null;
  is_whole: number;
  checked_after: Uint8Array | null;
  is_checked: number;
  settings: string | null;
  note: string | null;
  moved: number | null;
}

/** A row of `object_migration_problems`. */
export interface ProblemRow {
  bucket: string;
  key: Uint8Array;
  reason: string;
}

/** What of the row a step changes. */
export type MigrationChange = Partial<Omit<MigrationRow, "started_at">>;
export type BucketChange = Partial<Omit<BucketRow, "name" | "bucket_id" | "created_at">>;

const MIGRATION_COLUMNS = [
  "phase",
  "error_code",
  "error_params",
  "legacy_port",
  "legacy_bytes",
  "total",
  "leave_out",
  "is_given_up",
  "switched_at",
  "purge",
  "freed_bytes",
] as const satisfies readonly (keyof MigrationChange)[];

const BUCKET_COLUMNS = [
  "total",
  "total_bytes",
  "copied",
  "bytes",
  "after",
  "is_whole",
  "checked_after",
  "is_checked",
  "settings",
  "note",
  "moved",
] as const satisfies readonly (keyof BucketChange)[];

export const findMigration = (db: Store): MigrationRow | null =>
  db.raw.query<MigrationRow, []>("SELECT * FROM object_migration WHERE id = 1").get();

export const insertMigration = (db: Store, phase: string, at: number): void =>
  void db.raw.query("INSERT INTO object_migration (id, phase, started_at) VALUES (1, ?, ?)").run(phase, at);

export function updateMigration(db: Store, change: MigrationChange): void {
  for (const column of MIGRATION_COLUMNS) {
    const value = change[column];
    if (value !== undefined) db.raw.query(`UPDATE object_migration SET ${column} = ? WHERE id = 1`).run(value);
  }
}

export const listBuckets = (db: Store): BucketRow[] =>
  db.raw.query<BucketRow, []>("SELECT * FROM object_migration_buckets ORDER BY name").all();

export const findBucket = (db: Store, name: string): BucketRow | null =>
  db.raw.query<BucketRow, [string]>("SELECT * FROM object_migration_buckets WHERE name = ?").get(name);

export const insertBucket = (
  db: Store,
  { name, bucket_id, created_at }: Pick<BucketRow, "name" | "bucket_id" | "created_at">,
) =>
  void db.raw
    .query(
      "INSERT INTO object_migration_buckets (name, bucket_id, created_at, total, total_bytes) VALUES (?, ?, ?, 0, 0)",
    )
    .run(name, bucket_id, created_at);

export const bindBucket = (db: Store, name: string, bucketId: string): void =>
  void db.raw.query("UPDATE object_migration_buckets SET bucket_id = ? WHERE name = ?").run(bucketId, name);

export function updateBucket(db: Store, name: string, change: BucketChange): void {
  for (const column of BUCKET_COLUMNS) {
    const value = change[column];
    if (value === undefined) continue;
    db.raw.query(`UPDATE object_migration_buckets SET ${column} = ? WHERE name = ?`).run(value, name);
  }
}

export function deleteBucket(db: Store, name: string): void {
  db.raw.query("DELETE FROM object_migration_problems WHERE bucket = ?").run(name);
  db.raw.query("DELETE FROM object_migration_buckets WHERE name = ?").run(name);
}

export const saveProblem = (db: Store, { bucket, key, reason }: ProblemRow): void =>
  void db.raw
    .query("INSERT OR REPLACE INTO object_migration_problems (bucket, key, reason) VALUES (?, ?, ?)")
    .run(bucket, key, reason);

export const deleteProblem = (db: Store, bucket: string, key: Uint8Array): void =>
  void db.raw.query("DELETE FROM object_migration_problems WHERE bucket = ? AND key = ?").run(bucket, key);

export const listProblems = (db: Store, limit: number): ProblemRow[] =>
  db.raw.query<ProblemRow, [number]>("SELECT * FROM object_migration_problems ORDER BY bucket, key LIMIT ?").all(limit);

/** Buckets with problems are compared from their first key on. */
export const reopenBuckets = (db: Store): void =>
  void db.raw
    .query(
      `UPDATE object_migration_buckets SET is_whole = 0, after = NULL, copied = 0, bytes = 0
       WHERE name IN (SELECT bucket FROM object_migration_problems)`,
    )
    .run();

export const hasProblems = (db: Store, bucket: string): boolean =>
  db.raw.query("SELECT 1 FROM object_migration_problems WHERE bucket = ? LIMIT 1").get(bucket) !== null;

export const countProblems = (db: Store): number =>
  db.raw.query<{ count: number }, []>("SELECT count(*) AS count FROM object_migration_problems").get()?.count ?? 0;

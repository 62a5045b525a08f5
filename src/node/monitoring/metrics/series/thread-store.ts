import type { Database } from "bun:sqlite";
import { TIERS, type Tier } from "./columns.ts";
import { joinThreads, packSums, type ThreadSums, unpackSums } from "./threads.ts";

/** One bucket as it is stored. */
export interface ThreadRow extends ThreadSums {
  bucket: number;
}

/** Adds what a minute saw to its minute, hour and day; `minute` counts from 1970. Runs in the caller's transaction. */
export function writeThreads(db: Database, minute: number, seen: ThreadSums): void {
  for (const tier of ["m1", "h1", "d1"] as const) {
    const bucket = Math.floor((minute * TIERS.m1.bucketMs) / TIERS[tier].bucketMs);
    const [before] = readThreads(db, tier, bucket, bucket + 1);
    const { n, sums } = before === undefined ? seen : joinThreads(before, seen);
    db.query(`INSERT OR REPLACE INTO ${tier}_threads (bucket, n, sums) VALUES (?, ?, ?)`).run(
      bucket,
      n,
      packSums(sums),
    );
  }
}

/** Rows with `from <= bucket < to`, ascending. */
export function readThreads(db: Database, tier: Tier, from: number, to: number): ThreadRow[] {
  return db
    .query<{ bucket: number; n: number; sums: Uint8Array }, [number, number]>(
      `SELECT bucket, n, sums FROM ${tier}_threads WHERE bucket >= ? AND bucket < ? ORDER BY bucket`,
    )
    .all(from, to)
    .map(({ bucket, n, sums }) => ({ bucket, n, sums: unpackSums(sums) }));
}

/** Deletes rows with `from <= bucket < to`. */
export function pruneThreads(db: Database, tier: Tier, from: number, to: number): void {
  db.query(`DELETE FROM ${tier}_threads WHERE bucket >= ? AND bucket < ?`).run(from, to);
}

import type { Database } from "bun:sqlite";
import { TIERS, type Tier } from "./columns.ts";

/** Samples of all threads in one bucket: how many, and for each thread their sum in tenths of a percent. */
export interface ThreadSums {
  n: number;
  sums: Uint32Array;
}

/** One bucket as it is stored. */
export interface ThreadRow extends ThreadSums {
  bucket: number;
}

const TENTHS = 10;
const BYTES = 4;

/** The sums with one more sample, percents by thread. A machine that got more or fewer threads begins anew. */
export function addThreads(before: ThreadSums | null, percents: readonly number[]): ThreadSums {
  const one = { n: 1, sums: Uint32Array.from(percents, (percent) => Math.round(percent * TENTHS)) };
  return before === null ? one : joinThreads(before, one);
}

/** Both together. With another number of threads than before, a mean over both would be of neither machine: the later one counts. */
export function joinThreads(before: ThreadSums, after: ThreadSums): ThreadSums {
  if (before.sums.length !== after.sums.length) return after;
  return { n: before.n + after.n, sums: before.sums.map((sum, thread) => sum + (after.sums[thread] ?? 0)) };
}

/** Means in percent, by thread. */
export function threadPercents({ n, sums }: ThreadSums): number[] {
  return Array.from(sums, (sum) => sum / n / TENTHS);
}

function packSums(sums: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(sums.length * BYTES);
  const view = new DataView(bytes.buffer);
  for (const [thread, sum] of sums.entries()) view.setUint32(thread * BYTES, sum, true);
  return bytes;
}

function unpackSums(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, thread) =>
    view.getUint32(thread * BYTES, true),
  );
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

import type { Database } from "bun:sqlite";
import type { Clock } from "../../../../lib/clock.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { kindOf, TIERS } from "./columns.ts";
import { emptyFold, type Fold, foldedRow, foldValues, type Values } from "./fold.ts";
import type { LatestValues } from "./series.ts";
import { keepEntity, mergeRow, readProgress, writeProgress } from "./series-store.ts";
import { writeThreads } from "./thread-store.ts";
import { addThreads, type ThreadSums } from "./threads.ts";

/** Figures of one moment by entity. */
export type Sweep = ReadonlyMap<string, Values>;

/** Takes samples, folds them in memory and writes one row for each entity and minute. */
export interface Recorder {
  /**
   * Adds the samples of a sweep that ended now, and how busy each thread of the processor was in percent; writes the
   * minute when this was its last sweep.
   */
  add(sweep: Sweep, threads?: readonly number[]): void;
  /** Writes what has been folded so far; the rest of the minute merges into it later. */
  flush(): void;
}

/** Milliseconds from one sweep to the next. */
export const SWEEP_MS = seconds(10);
/** A sweep tells of the time before it: the one at the full minute belongs to the minute that ends there. */
export const LAG_MS = SWEEP_MS / 2;
/** A larger difference between wall time and the time that passed is a clock that was set, or a machine that slept. */
const JUMP_MS = minutes(5);

/** `onJump` hears by how many milliseconds the wall clock moved when it did not move with time. */
export function createRecorder(
  db: Database,
  clock: Pick<Clock, "now" | "monotonic">,
  latest: LatestValues,
  onJump: (byMs: number) => void = () => {},
): Recorder {
  const { bucketMs } = TIERS.m1;
  let folds = new Map<string, Fold>();
  let seenThreads: ThreadSums | null = null;
  let bucket: number | null = null;
  let isSteady = true;
  let last: { wall: number; monotonic: number } | null = null;

  function watchClock(): void {
    const now = { wall: clock.now(), monotonic: clock.monotonic() };
    const moved = last ? now.wall - last.wall - (now.monotonic - last.monotonic) : 0;
    last = now;
    if (Math.abs(moved) < JUMP_MS) return;
    isSteady = false;
    onJump(moved);
  }

  /** The tiers above must look again at the hour and day of a minute that they have passed already. */
  function reopen(minute: number): void {
    for (const [tier, size] of [
      ["m1", 60],
      ["h1", 24 * 60],
    ] as const) {
      const target = Math.floor(minute / size);
      if (target < readProgress(db, tier)) writeProgress(db, tier, target);
    }
  }

  function flush(): void {
    if (bucket === null || folds.size === 0) return;
    const minute = bucket;
    db.transaction(() => {
      for (const [name, fold] of folds) {
        mergeRow(db, "m1", fold.kind, keepEntity(db, name, fold.kind), foldedRow(fold, minute));
      }
      if (seenThreads !== null) writeThreads(db, minute, seenThreads);
      reopen(minute);
      writeProgress(db, "steady_minutes", isSteady ? readProgress(db, "steady_minutes") + 1 : 0);
    }).immediate();
    isSteady = true;
    folds = new Map();
    seenThreads = null;
  }

  return {
    flush,
    add(sweep, threads = []) {
      watchClock();
      const now = clock.now() - LAG_MS;
      const current = Math.max(0, Math.floor(now / bucketMs));
      // First of all: what is known now must not wait for a disk that is full.
      for (const [name, values] of sweep) {
        if (kindOf(name)) latest.set(name, { t: clock.now(), monotonic: clock.monotonic(), values });
      }
      if (bucket !== null && bucket !== current) flush();
      bucket = current;
      for (const [name, values] of sweep) {
        const kind = kindOf(name);
        if (!kind) continue;
        const fold = folds.get(name) ?? emptyFold(kind);
        foldValues(fold, values);
        folds.set(name, fold);
      }
      if (threads.length > 0) seenThreads = addThreads(seenThreads, threads);
      if (Math.floor((now + SWEEP_MS) / bucketMs) !== current) flush();
    },
  };
}

import type { Database } from "bun:sqlite";
import type { Clock } from "../../../../lib/clock.ts";
import { KINDS, TIERS } from "./columns.ts";
import { horizon } from "./series.ts";
import {
  boundsOf,
  bucketsBelow,
  dropEntity,
  findEntity,
  listEntities,
  nthLastBucket,
  pruneRows,
  readProgress,
  rollUpBucket,
  shrink,
  writeProgress,
} from "./series-store.ts";
import { pruneThreads } from "./thread-store.ts";

/** Entities of one transaction; about 5 ms. */
const BATCH = 50;

const STEPS = [
  { from: "m1", to: "h1" },
  { from: "h1", to: "d1" },
] as const;

/** Everything that has rows, in slices. */
function* slices(db: Database) {
  for (const kind of KINDS) {
    const entities = listEntities(db, kind);
    for (let start = 0; start < entities.length; start += BATCH) {
      yield { kind, entities: entities.slice(start, start + BATCH) };
    }
  }
}

/**
 * Rebuilds every closed hour and day since the last time and one before it, a slice at a time: between two slices others
 * get their turn. Cut off anywhere, the next run gives the same rows.
 */
export function* rollUp(db: Database, clock: Pick<Clock, "now">): Generator<void> {
  const host = findEntity(db, "host");
  if (!host) return;
  for (const { from, to } of STEPS) {
    const open = Math.floor(clock.now() / TIERS[to].bucketMs);
    const done = readProgress(db, from);
    // One bucket before: its last minute may have been written while the last run was at work.
    for (const bucket of bucketsBelow(db, to, host.id, done - 1, open)) {
      for (const { kind, entities } of slices(db)) {
        db.transaction(() => {
          for (const { id } of entities) rollUpBucket(db, to, kind, id, bucket);
        }).immediate();
        yield;
      }
    }
    // A sample that came meanwhile may have reopened an older bucket.
    db.transaction(() => {
      if (readProgress(db, from) === done) writeProgress(db, from, open);
    }).immediate();
  }
}

/**
 * The bucket of `tier` below which rows may go: out of its time by the clock, rolled up, and as many newer ones recorded
 * as the tier keeps. The last condition is what a wrong clock cannot meet. Null: nothing may go.
 */
function pruneLimit(db: Database, tier: "m1" | "h1" | "d1", clock: Pick<Clock, "now">): number | null {
  const host = findEntity(db, "host");
  const { bucketMs, keep } = TIERS[tier];
  const recorded = host && nthLastBucket(db, tier, host.id, horizon(clock, tier), keep);
  if (recorded === null) return null;
  const aged = Math.floor(clock.now() / bucketMs) - keep;
  if (tier === "d1") return Math.min(aged, recorded);
  return Math.min(aged, recorded, readProgress(db, tier) * (tier === "m1" ? 60 : 24));
}

/**
 * Deletes what has had its time, in slices, and gives the room back. Rows of a time that lies ahead (the clock was wrong)
 * go when as much has been recorded since the clock last jumped as their tier keeps.
 */
export function* prune(db: Database, clock: Pick<Clock, "now">): Generator<void> {
  const steadyMs = readProgress(db, "steady_minutes") * TIERS.m1.bucketMs;
  for (const tier of ["m1", "h1", "d1"] as const) {
    const { bucketMs, keep } = TIERS[tier];
    const limit = pruneLimit(db, tier, clock);
    const ahead = steadyMs >= keep * bucketMs ? horizon(clock, tier) : Number.MAX_SAFE_INTEGER;
    for (const { kind, entities } of slices(db)) {
      db.transaction(() => {
        for (const { id } of entities) {
          if (limit !== null) pruneRows(db, tier, kind, id, 0, limit);
          pruneRows(db, tier, kind, id, ahead, Number.MAX_SAFE_INTEGER);
        }
      }).immediate();
      yield;
    }
    db.transaction(() => {
      if (limit !== null) pruneThreads(db, tier, 0, limit);
      pruneThreads(db, tier, ahead, Number.MAX_SAFE_INTEGER);
    }).immediate();
  }
  yield* dropEmpty(db);
  shrink(db);
}

/** Forgets what has no rows left, such as an app that was removed a year ago. */
function* dropEmpty(db: Database): Generator<void> {
  for (const { kind, entities } of slices(db)) {
    db.transaction(() => {
      for (const { id } of entities) {
        const isEmpty = (["m1", "h1", "d1"] as const).every(
          (tier) => boundsOf(db, tier, kind, id, Number.MAX_SAFE_INTEGER).first === null,
        );
        if (isEmpty) dropEntity(db, id);
      }
    }).immediate();
    yield;
  }
}

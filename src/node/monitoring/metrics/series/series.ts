import type { Database } from "bun:sqlite";
import type { Clock } from "../../../../lib/clock.ts";
import { days, seconds } from "../../../../lib/duration.ts";
import { figuresOf, type Kind, kindOf, TIERS, type Tier } from "./columns.ts";
import { joinRows, type Values } from "./fold.ts";
import {
  boundsOf,
  findEntity,
  listEntities,
  type RowQuery,
  readProgress,
  readRows,
  type StoredRow,
} from "./series-store.ts";

/** One bucket of one entity. `n` tells how much of it was seen: 6 samples a minute, 360 an hour, 8,640 a day. */
export interface SeriesRow {
  /** Start of the bucket, ms UTC. */
  t: number;
  /** Samples in it. */
  n: number;
  avg: Record<string, number | null>;
  max: Record<string, number | null>;
}

/** What was measured: `host`, `app:<app id>`, `iface:<name>` and `fs:<mount point>`. */
export interface Series {
  /**
   * Buckets with `fromMs <= t < toMs`, ascending; missing ones are absent, the running hour and day are there as far as
   * they have come. Rows more than a day ahead of now (the clock was wrong) are not shown. `figures` are the ones to
   * read, all when left out.
   */
  read(entity: string, tier: Tier, fromMs: number, toMs: number, figures?: readonly string[]): SeriesRow[];
  /** Everything of a kind that has rows; nothing of a kind that is not measured. */
  entities(kind: string): { entity: string; first_ms: number; last_ms: number }[];
  /** The last sample, at most 30 s old; null when there is none. */
  latest(entity: string): { t: number; values: Record<string, number | null> } | null;
}

/** Rows further ahead of now were written while the clock was wrong. */
const MAX_AHEAD_MS = days(1);
/** After this long without a sample, the last one says nothing about now. */
const LATEST_MS = seconds(30);

/** The last sample of each entity; written by the collector. */
export type LatestValues = Map<string, { t: number; monotonic: number; values: Values }>;

/** The first bucket that nobody is shown any more. */
export function horizon(clock: Pick<Clock, "now">, tier: Tier): number {
  return Math.ceil((clock.now() + MAX_AHEAD_MS) / TIERS[tier].bucketMs);
}

function readStored(db: Database, query: RowQuery): StoredRow[] {
  const { tier, from, to } = query;
  if (from >= to) return [];
  if (tier === "m1") return readRows(db, query);
  const size = tier === "h1" ? 60 : 24;
  const below = tier === "h1" ? "m1" : "h1";
  // From here on the tier below knows more.
  const rolled = Math.max(from, Math.min(to, readProgress(db, below)));
  const open = joinRows(readStored(db, { ...query, tier: below, from: rolled * size, to: to * size }), size);
  const rows = new Map(readRows(db, query).map((row) => [row.bucket, row]));
  for (const row of open) if (row.n >= (rows.get(row.bucket)?.n ?? 0)) rows.set(row.bucket, row);
  return [...rows.values()].sort((a, b) => a.bucket - b.bucket);
}

function named(figures: readonly [string, number][], values: readonly (number | null)[]) {
  const result: Record<string, number | null> = {};
  for (const [index, [name, scale]] of figures.entries()) {
    const value = values[index] ?? null;
    result[name] = value === null ? null : value / scale;
  }
  return result;
}

/** Which buckets of which entity, by the clock. */
interface Wanted {
  entity: string;
  tier: Tier;
  fromMs: number;
  toMs: number;
  figures?: readonly string[] | undefined;
  withMax: boolean;
}

function readWanted(db: Database, clock: Pick<Clock, "now">, wanted: Wanted): StoredRow[] {
  const { entity, tier, fromMs, toMs, figures, withMax } = wanted;
  const found = findEntity(db, entity);
  const kind = kindOf(entity);
  if (!found || !kind) return [];
  const { bucketMs } = TIERS[tier];
  return readStored(db, {
    tier,
    kind,
    entity: found.id,
    names: pickFigures(kind, figures).map(([name]) => name),
    withMax,
    from: Math.ceil(fromMs / bucketMs),
    to: Math.min(Math.ceil(toMs / bucketMs), horizon(clock, tier)),
  });
}

const pickFigures = (kind: Kind, only?: readonly string[]): [string, number][] =>
  figuresOf(kind).filter(([name]) => only?.includes(name) ?? true);

/** Averages only, as they are stored (see `FIGURES` for the scale): for answers with tens of thousands of them. */
export function readAverages(
  db: Database,
  clock: Pick<Clock, "now">,
  wanted: Omit<Wanted, "withMax"> & { figures: readonly string[] },
): { bucket: number; n: number; avg: readonly (number | null)[] }[] {
  return readWanted(db, clock, { ...wanted, withMax: false });
}

/** The read side of the series in `db`; touches the database only when asked. */
export function createSeries(db: Database, clock: Pick<Clock, "now" | "monotonic">, latest: LatestValues): Series {
  return {
    read(entity, tier, fromMs, toMs, only) {
      const kind = kindOf(entity);
      if (!kind) return [];
      const { bucketMs } = TIERS[tier];
      const figures = pickFigures(kind, only);
      const rows = readWanted(db, clock, { entity, tier, fromMs, toMs, figures: only, withMax: true });
      return rows.map(({ bucket, n, avg, max }) => ({
        t: bucket * bucketMs,
        n,
        avg: named(figures, avg),
        max: named(figures, max),
      }));
    },
    entities(asked) {
      const kind = kindOf(asked);
      if (!kind) return [];
      return listEntities(db, kind).flatMap(({ id, name }) => {
        const bounds = (["m1", "h1", "d1"] as const).flatMap((tier) => {
          const { first, last } = boundsOf(db, tier, kind, id, horizon(clock, tier));
          const { bucketMs } = TIERS[tier];
          return first === null || last === null ? [] : [{ first: first * bucketMs, last: last * bucketMs }];
        });
        if (bounds.length === 0) return [];
        return [
          {
            entity: name,
            first_ms: Math.min(...bounds.map(({ first }) => first)),
            last_ms: Math.max(...bounds.map(({ last }) => last)),
          },
        ];
      });
    },
    latest(entity) {
      const last = latest.get(entity);
      if (!last || clock.monotonic() - last.monotonic > LATEST_MS) return null;
      return { t: last.t, values: { ...last.values } };
    },
  };
}

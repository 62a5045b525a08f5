import type { Database } from "bun:sqlite";
import { FIGURES, KINDS, type Kind, type Tier } from "./columns.ts";

/** A stored row: whole numbers, averages and maxima in the order of the kind's figures. */
export interface StoredRow {
  bucket: number;
  n: number;
  avg: (number | null)[];
  max: (number | null)[];
}

interface Statements {
  upsert: string;
  rollUp: string;
  bounds: string;
  limit: string;
  prune: string;
}

/** The tier that `tier` is made of, and how many of its buckets go into one. */
const SOURCES = { h1: { tier: "m1", buckets: 60 }, d1: { tier: "h1", buckets: 24 } } as const;

/** How two rows of one bucket become one. A figure that one of them lacks is the other's. */
function mergeClauses(names: readonly string[]): string {
  const averages = names.map(
    (name) => `${name} = CASE WHEN ${name} IS NULL THEN excluded.${name} WHEN excluded.${name} IS NULL THEN ${name}
      ELSE CAST(round((1.0 * ${name} * n + 1.0 * excluded.${name} * excluded.n) / (n + excluded.n)) AS INTEGER) END`,
  );
  const maxima = names.map(
    (name) => `${name}_max = max(ifnull(${name}_max, excluded.${name}_max), ifnull(excluded.${name}_max, ${name}_max))`,
  );
  return ["n = n + excluded.n", ...averages, ...maxima].join(", ");
}

function statementsOf(tier: Tier, kind: Kind): Statements {
  const names = Object.keys(FIGURES[kind]);
  const columns = [...names, ...names.map((name) => `${name}_max`)];
  const table = `${tier}_${kind}`;
  const source = tier === "m1" ? SOURCES.h1 : SOURCES[tier];
  const means = names.map(
    (name) =>
      `CAST(round(sum(1.0 * ${name} * n) / sum(CASE WHEN ${name} IS NULL THEN 0 ELSE n END)) AS INTEGER) AS ${name}`,
  );
  return {
    upsert: `INSERT INTO ${table} (entity, bucket, n, ${columns.join(", ")})
      VALUES (${Array(columns.length + 3)
        .fill("?")
        .join(", ")})
      ON CONFLICT (entity, bucket) DO UPDATE SET ${mergeClauses(names)}`,
    // A row of the tier below only ever gains samples, so fewer of them are what pruning left, or what a wrong clock wrote
    // into a bucket of the past: neither replaces the whole.
    rollUp: `INSERT INTO ${table} (entity, bucket, n, ${columns.join(", ")})
      SELECT entity, bucket / ${source.buckets} AS target, sum(n) AS n, ${means.join(", ")},
        ${names.map((name) => `max(${name}_max)`).join(", ")}
      FROM ${source.tier}_${kind} WHERE entity = ? AND bucket >= ? AND bucket < ? GROUP BY target
      ON CONFLICT (entity, bucket) DO UPDATE SET n = excluded.n, ${columns
        .map((name) => `${name} = excluded.${name}`)
        .join(", ")} WHERE excluded.n > n`,
    bounds: `SELECT min(bucket) AS first, max(bucket) AS last FROM ${table} WHERE entity = ? AND bucket < ?`,
    limit: `SELECT bucket FROM ${table} WHERE entity = ? AND bucket < ? ORDER BY bucket DESC LIMIT 1 OFFSET ?`,
    prune: `DELETE FROM ${table} WHERE entity = ? AND bucket >= ? AND bucket < ?`,
  };
}

const SQL = new Map(
  (["m1", "h1", "d1"] as const).flatMap((tier) =>
    KINDS.map((kind) => [`${tier}_${kind}`, statementsOf(tier, kind)] as const),
  ),
);

function sqlOf(tier: Tier, kind: Kind): Statements {
  const found = SQL.get(`${tier}_${kind}`);
  if (!found) throw new Error(`there is no table for ${tier} ${kind}`);
  return found;
}

export interface EntityRow {
  id: number;
  name: string;
  kind: string;
}

export function listEntities(db: Database, kind: Kind): EntityRow[] {
  return db.query<EntityRow, [string]>("SELECT id, name, kind FROM entities WHERE kind = ? ORDER BY id").all(kind);
}

export function findEntity(db: Database, name: string): EntityRow | null {
  return db.query<EntityRow, [string]>("SELECT id, name, kind FROM entities WHERE name = ?").get(name);
}

/** The id of an entity, which is made when it is new. */
export function keepEntity(db: Database, name: string, kind: Kind): number {
  const known = findEntity(db, name);
  if (known) return known.id;
  return Number(db.query("INSERT INTO entities (name, kind) VALUES (?, ?)").run(name, kind).lastInsertRowid);
}

export function dropEntity(db: Database, id: number): void {
  db.query("DELETE FROM entities WHERE id = ?").run(id);
}

/** Adds a row, or merges it into the one that its bucket has: samples add up. */
export function mergeRow(db: Database, tier: Tier, kind: Kind, entity: number, row: StoredRow): void {
  db.query(sqlOf(tier, kind).upsert).run(entity, row.bucket, row.n, ...row.avg, ...row.max);
}

const readTexts = new Map<string, string>();

/** One text for each choice of figures: there are few, and SQLite keeps a statement for each text. */
function readSql({ tier, kind, names, withMax }: RowQuery): string {
  const key = `${tier} ${kind} ${withMax} ${names.join(" ")}`;
  const known = readTexts.get(key);
  if (known !== undefined) return known;
  const columns = withMax ? [...names, ...names.map((name) => `${name}_max`)] : names;
  const text = `SELECT bucket, n, ${columns.join(", ")} FROM ${tier}_${kind}
    WHERE entity = ? AND bucket >= ? AND bucket < ? ORDER BY bucket`;
  readTexts.set(key, text);
  return text;
}

/** Which rows: of one entity, with `from <= bucket < to`, and of its figures those in `names`. */
export interface RowQuery {
  tier: Tier;
  kind: Kind;
  entity: number;
  names: readonly string[];
  /** Without, rows have no maxima. */
  withMax: boolean;
  from: number;
  to: number;
}

/** The rows, ascending; their averages and maxima are in the order of `names`. */
export function readRows(db: Database, query: RowQuery): StoredRow[] {
  const { entity, names, from, to } = query;
  const rows = db
    .query<Record<string, number | null>, [number, number, number]>(readSql(query))
    .values(entity, from, to);
  const numberAt = (row: (typeof rows)[number], place: number): number | null => {
    const value = row[place];
    return typeof value === "number" ? value : null;
  };
  return rows.map((row) => ({
    bucket: numberAt(row, 0) ?? 0,
    n: numberAt(row, 1) ?? 0,
    avg: names.map((_, index) => numberAt(row, 2 + index)),
    max: query.withMax ? names.map((_, index) => numberAt(row, 2 + names.length + index)) : [],
  }));
}

/** Rebuilds one bucket of `tier` from the tier below; the same rows give the same result however often. */
export function rollUpBucket(db: Database, tier: "h1" | "d1", kind: Kind, entity: number, bucket: number): void {
  const { buckets } = SOURCES[tier];
  db.query(sqlOf(tier, kind).rollUp).run(entity, bucket * buckets, (bucket + 1) * buckets);
}

/** The first and last bucket below `before`; nulls when there is none. */
export function boundsOf(
  db: Database,
  tier: Tier,
  kind: Kind,
  entity: number,
  before: number,
): { first: number | null; last: number | null } {
  const sql = sqlOf(tier, kind).bounds;
  const row = db.query<{ first: number | null; last: number | null }, [number, number]>(sql).get(entity, before);
  return row ?? { first: null, last: null };
}

/** Buckets of `tier`, from `from` up to `before`, that the tier below has anything for; the host is in every sweep. */
export function bucketsBelow(db: Database, tier: "h1" | "d1", host: number, from: number, before: number): number[] {
  const { buckets } = SOURCES[tier];
  return db
    .query<{ target: number }, [number, number, number, number]>(
      `SELECT DISTINCT bucket / ? AS target FROM ${SOURCES[tier].tier}_host WHERE entity = ? AND bucket >= ? AND bucket < ?`,
    )
    .all(buckets, host, from * buckets, before * buckets)
    .map(({ target }) => target);
}

/** The bucket that has exactly `count` recorded ones from it up to `before`; null when fewer are recorded. */
export function nthLastBucket(db: Database, tier: Tier, entity: number, before: number, count: number): number | null {
  const sql = sqlOf(tier, "host").limit;
  return db.query<{ bucket: number }, [number, number, number]>(sql).get(entity, before, count - 1)?.bucket ?? null;
}

/** Deletes rows with `from <= bucket < to`; returns how many. */
export function pruneRows(db: Database, tier: Tier, kind: Kind, entity: number, from: number, to: number): number {
  return db.query(sqlOf(tier, kind).prune).run(entity, from, to).changes;
}

/** A kept number; 0 when it was never written. */
export function readProgress(db: Database, name: string): number {
  const row = db.query<{ value: number }, [string]>("SELECT value FROM progress WHERE name = ?").get(name);
  return row?.value ?? 0;
}

export function writeProgress(db: Database, name: string, value: number): void {
  db.query("INSERT OR REPLACE INTO progress (name, value) VALUES (?, ?)").run(name, value);
}

/** Gives free pages back to the filesystem, at most 200 (0.8 MB) at a time. */
export function shrink(db: Database): void {
  db.query("PRAGMA incremental_vacuum(200)").all();
}

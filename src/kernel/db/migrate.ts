import type { Database } from "bun:sqlite";
import { sha256Hex } from "../../lib/digest.ts";

/** One numbered SQL file of a feature. A released one is never edited: its hash is checked at every start. */
export interface Migration {
  feature: string;
  number: number;
  sql: string;
}

interface AppliedRow {
  feature: string;
  number: number;
  sha256: string;
}

/** What stands in the way: an edited or failing migration, or a database from a newer program. */
export class MigrationError extends Error {}

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (
  feature TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL,
  PRIMARY KEY (feature, number)) STRICT`;

/** Gives feature-local SQL files their numbers, in order. */
export function migrationsOf(feature: string, files: readonly string[]): Migration[] {
  return files.map((sql, index) => ({ feature, number: index + 1, sql }));
}

/**
 * Applies what is missing, all or nothing, and returns how many ran: after a failure or a crash the program that wrote
 * the database can still open it. `snapshot` is called once before the first change to a database that holds data.
 * Throws MigrationError.
 */
export function migrate(db: Database, migrations: readonly Migration[], nowIso: string, snapshot: () => void): number {
  db.run(LEDGER);
  const applied = db.query<AppliedRow, []>("SELECT feature, number, sha256 FROM migrations").all();
  const known = new Map(applied.map((row) => [`${row.feature}/${row.number}`, row.sha256]));
  assertSameHistory(known, migrations);

  const missing = migrations.filter((item) => !known.has(`${item.feature}/${item.number}`));
  if (missing.length > 0 && applied.length > 0) snapshot();
  db.transaction(() => {
    for (const item of missing) apply(db, item, nowIso);
  }).immediate();
  return missing.length;
}

function apply(db: Database, { feature, number, sql }: Migration, nowIso: string): void {
  try {
    db.run(sql);
    db.query("INSERT INTO migrations VALUES (?, ?, ?, ?)").run(feature, number, sha256Hex(sql), nowIso);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`migration ${feature}/${number} failed, nothing was changed: ${reason}`, { cause });
  }
}

/** Throws MigrationError when a known migration was edited, or the database holds one that is not offered. */
export function assertSameHistory(known: Map<string, string>, migrations: readonly Migration[]): void {
  const offered = new Set<string>();
  for (const { feature, number, sql } of migrations) {
    const key = `${feature}/${number}`;
    offered.add(key);
    const hash = known.get(key);
    if (hash !== undefined && hash !== sha256Hex(sql))
      throw new MigrationError(`migration ${key} was edited after release`);
  }
  for (const key of known.keys()) {
    if (!offered.has(key)) {
      throw new MigrationError(
        `the database was written by a newer version (it has migration ${key}); start that version or restore the snapshot taken before the upgrade`,
      );
    }
  }
}

/** Writes a consistent copy of `db` to `path`, which must not exist. */
export function snapshotDatabase(db: Database, path: string): void {
  db.query("VACUUM INTO ?").run(path);
}

import { type Database, SQLiteError } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { migrate, snapshotDatabase } from "../kernel/db/migrate.ts";
import { openDatabase } from "../kernel/db/open.ts";
import { collectMigrations } from "../kernel/feature.ts";
import { loadSealKey } from "../kernel/seal.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { nodeFeatures } from "./features.ts";

/** The open data folder of a node. */
export interface NodeData {
  mainDb: Database;
  metricsDb: Database;
  sealKey: Uint8Array;
}

/**
 * Opens (or makes) the data folder and brings its databases up to date; a snapshot is kept before any migration. Throws
 * when the key is missing or damaged, or the database is of a newer program.
 */
export function openData(dataDir: string, clock: Clock): NodeData {
  mkdirSync(join(dataDir, "snapshots"), { recursive: true, mode: 0o700 });
  const now = toIso(clock.now());
  // The key comes first: a first start that is cut short must not leave a database without one.
  const sealKey = loadSealKey(join(dataDir, "node.key"), !existsSync(join(dataDir, "main.db")));
  const mainDb = openDatabase(join(dataDir, "main.db"));
  migrate(mainDb, collectMigrations(nodeFeatures), now, () =>
    snapshotDatabase(mainDb, join(dataDir, "snapshots", `main-${now.replaceAll(":", "-")}.db`)),
  );
  return { mainDb, metricsDb: openMetrics(join(dataDir, "metrics.db"), now), sealKey };
}

/** Opens the series. A damaged file is put aside as `metrics.db.damaged` and a new one begun: no node stays away for its history. */
function openMetrics(path: string, nowIso: string): Database {
  const open = (): Database => {
    const db = openDatabase(path, "normal");
    migrateMetrics(db, nowIso);
    return db;
  };
  try {
    return open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const part of ["", "-wal", "-shm"]) {
      if (existsSync(path + part)) renameSync(path + part, `${path}.damaged${part}`);
    }
    return open();
  }
}

/** True when SQLite says that a file is none of its own, or broken. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof SQLiteError) return error.code === "SQLITE_NOTADB" || error.code === "SQLITE_CORRUPT";
  return isDamage(error.cause);
}

/** Brings the database of series up to date; there is no snapshot, because it can be lost. Throws MigrationError. */
export function migrateMetrics(db: Database, nowIso: string): void {
  migrate(db, collectMigrations(nodeFeatures, "metrics"), nowIso, () => {});
}

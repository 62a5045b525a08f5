import type { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { migrate, snapshotDatabase } from "../kernel/db/migrate.ts";
import { openDatabase } from "../kernel/db/open.ts";
import { collectMigrations } from "../kernel/feature.ts";
import { loadSealKey } from "../kernel/seal.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { nodeFeatures } from "./features.ts";
import { openSeries } from "./open-series.ts";

/** The open data folder of a node. */
export interface NodeData {
  mainDb: Database;
  metricsDb: Database;
  sealKey: Uint8Array;
  /** Why the series begin anew; null on every ordinary start. */
  seriesLost: string | null;
}

/** Brings a main database up to date; `snapshot` is called before the first change. Throws MigrationError. */
export const migrateMain = (database: Database, now: string, snapshot: () => void): number =>
  migrate(database, collectMigrations(nodeFeatures), now, snapshot);

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
  migrateMain(mainDb, now, () =>
    snapshotDatabase(mainDb, join(dataDir, "snapshots", `main-${now.replaceAll(":", "-")}.db`)),
  );
  const series = openSeries(join(dataDir, "metrics.db"), now);
  return { mainDb, metricsDb: series.db, sealKey, seriesLost: series.setAside };
}

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { collectMigrations } from "../kernel/feature.ts";
import { loadSealKey } from "../kernel/seal.ts";
import { createSqlDb } from "../kernel/sql/create-db.ts";
import { migrateSqlDb } from "../kernel/sql/migrate.ts";
import type { SqlDb } from "../kernel/sql/port.ts";
import { openPostgres } from "../kernel/sql/postgres-driver.ts";
import { openSqlite } from "../kernel/sql/sqlite-driver.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { createFairTurns, type TakeTurn } from "../lib/fair-turns.ts";
import type { PanelConfig } from "./config.ts";
import { ALONE, type Lease } from "./data/lease.ts";
import { secureTenantTables } from "./data/row-security.ts";
import { panelFeatures } from "./features.ts";

/** The open data of a panel. */
export interface PanelData {
  db: SqlDb;
  /** For samples, which are many and may be lost in a power cut: a file of its own on SQLite. */
  samplesDb: SqlDb;
  sealKey: Uint8Array;
  /** The right to be the one panel over it. */
  lease: Lease;
  /** The turns in which those are answered who ask for much, of the database as of the panel. */
  takeTurn: TakeTurn;
}

/**
 * Opens (or makes) the data folder and the database, and brings that up to date; of a SQLite file a snapshot is kept first.
 * `take` is asked for the right to it before anything in it is touched; commands beside a running panel need none.
 * Throws when the key is missing or damaged, PostgreSQL cannot be reached, or the database is of a newer program.
 */
export async function openData(
  { data_dir, database_url }: Pick<PanelConfig, "data_dir" | "database_url">,
  clock: Clock,
  take: (db: SqlDb) => Promise<Lease> = async () => ALONE,
): Promise<PanelData> {
  mkdirSync(join(data_dir, "snapshots"), { recursive: true, mode: 0o700 });
  const file = join(data_dir, "panel.db");
  // The key comes first: a first start that is cut short must not leave a database without one.
  const sealKey = loadSealKey(join(data_dir, "panel.key"), !existsSync(file));
  const takeTurn = createFairTurns(clock);
  const open = createSqlDb(
    database_url === "" ? await openSqlite(file, clock) : await openPostgres(database_url, clock, { takeTurn }),
  );
  const lease = await take(open).catch(async (error: unknown) => {
    await open.close();
    throw error;
  });
  const db = lease.over(open);
  const now = toIso(clock.now());
  await migratePanel(db, now, join(data_dir, "snapshots", `panel-${now.replaceAll(":", "-")}.db`));
  const samplesDb =
    db.engine === "sqlite" ? createSqlDb(await openSqlite(join(data_dir, "samples.db"), clock, "normal")) : db;
  return { db, samplesDb, sealKey, lease, takeTurn };
}

/** Brings a panel's database up to date. Throws MigrationError. */
export async function migratePanel(db: SqlDb, nowIso: string, snapshotPath: string): Promise<void> {
  const snapshot = async () => {
    // A PostgreSQL database is backed up with its own tools.
    if (db.engine === "sqlite") await db.run("VACUUM INTO ?", [snapshotPath]);
  };
  // Row security holds for migrations too: one that changes rows must see those of every workspace.
  const all = db.scoped({ "app.system": "on" });
  await migrateSqlDb(all, collectMigrations(panelFeatures), nowIso, snapshot, (tx) =>
    secureTenantTables(db.engine, tx),
  );
}

import { type Database, SQLiteError } from "bun:sqlite";
import { renameSync, rmSync } from "node:fs";
import { MigrationError, migrate } from "../kernel/db/migrate.ts";
import { openDatabase } from "../kernel/db/open.ts";
import { collectMigrations } from "../kernel/feature.ts";
import { nodeFeatures } from "./features.ts";

/** The open database of series. */
export interface OpenSeries {
  db: Database;
  /** Why the file that was there was put aside and a new one made; null on every ordinary start. */
  setAside: string | null;
}

const DAMAGED: readonly string[] = ["SQLITE_NOTADB", "SQLITE_CORRUPT"];

/** Brings the database of series up to date; there is no snapshot, because it can be lost. Throws MigrationError. */
export function migrateMetrics(db: Database, nowIso: string): void {
  migrate(db, collectMigrations(nodeFeatures, "metrics"), nowIso, () => {});
}

/**
 * Opens (or makes) the database of series. One that is damaged, or of a newer program, must not keep the node from
 * starting: it is put aside as `<path>.set-aside`, over the one before it, and history begins anew.
 */
export function openSeries(path: string, nowIso: string): OpenSeries {
  try {
    return { db: openSound(path, nowIso), setAside: null };
  } catch (error) {
    const reason = lossOf(error);
    if (reason === null) throw error;
    putAside(path);
    return { db: openSound(path, nowIso), setAside: reason };
  }
}

function openSound(path: string, nowIso: string): Database {
  const db = openDatabase(path, "normal");
  try {
    // A whole year takes some 15 ms.
    const found = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check ?? "no answer";
    if (found !== "ok") throw new DamagedError(found);
    migrateMetrics(db, nowIso);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class DamagedError extends Error {}

/** Why the file is of no use; null for troubles that another file would not help, such as a full disk. */
function lossOf(error: unknown): string | null {
  if (error instanceof DamagedError || error instanceof MigrationError) return error.message;
  if (!(error instanceof SQLiteError)) return null;
  return DAMAGED.some((code) => error.code?.startsWith(code)) ? error.message : null;
}

function putAside(path: string): void {
  const aside = `${path}.set-aside`;
  for (const part of ["-wal", "-shm"]) rmSync(aside + part, { force: true });
  renameSync(path, aside);
  // A log left behind would be taken for the new file's.
  for (const part of ["-wal", "-shm"]) rmSync(path + part, { force: true });
}

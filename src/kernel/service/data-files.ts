import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { snapshotDatabase } from "../db/migrate.ts";
import { closeDatabase, openDatabase } from "../db/open.ts";
import type { Host } from "./host.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";

/**
 * Reads from a database that a service may be using, and leaves no trace: a plain read-only open would make the files
 * of the write-ahead log. Null when there is no database.
 */
export function readDatabase<T>(path: string, read: (db: Database) => T): T | null {
  if (!existsSync(path)) return null;
  const isInUse = existsSync(`${path}-wal`);
  const uri = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}`;
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  const db = new Database(isInUse ? uri : `${uri}?immutable=1`, flags);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** True when the database has that table. */
export function hasTable(db: Database, name: string): boolean {
  return db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null;
}

/** `feature/number` of every migration that the installed data has seen; empty for new data. */
export function appliedMigrations(host: Host, spec: ProgramSpec): string[] {
  const path = host.real(`${layoutOf(spec).dataDir}/${spec.databases[0]}`);
  const rows = readDatabase(path, (db) =>
    hasTable(db, "migrations")
      ? db.query<{ feature: string; number: number }, []>("SELECT feature, number FROM migrations ORDER BY 1, 2").all()
      : [],
  );
  return (rows ?? []).map(({ feature, number }) => `${feature}/${number}`);
}

/** Bytes of all databases together. */
export function databaseBytes(host: Host, spec: ProgramSpec): number {
  const { dataDir } = layoutOf(spec);
  const files = spec.databases.flatMap((name) => [name, `${name}-wal`]);
  return files.reduce((sum, name) => sum + (host.stat(`${dataDir}/${name}`)?.size ?? 0), 0);
}

/** Copies every database into a new folder below `snapshots`. The service must be stopped. */
export function snapshotDatabases(host: Host, spec: ProgramSpec, folder: string): void {
  const { dataDir, snapshots } = layoutOf(spec);
  // The service owns the data folder: a link in it would have root read, and write, what the service may not.
  for (const path of [snapshots, ...spec.databases.map((name) => `${dataDir}/${name}`)])
    if (host.stat(path)?.kind === "link") throw new Error(`${path} is a link; nothing was copied`);
  const unfinished = `${folder}.part`;
  host.removeTree(unfinished);
  host.removeTree(folder);
  host.makeDirectory(unfinished, 0o700);
  for (const name of spec.databases) {
    if (host.stat(`${dataDir}/${name}`) === null) continue;
    const db = openDatabase(host.real(`${dataDir}/${name}`));
    snapshotDatabase(db, host.real(`${unfinished}/${name}`));
    closeDatabase(db);
    // SQLite does not wait for the disk when it vacuums into a new file.
    host.sync(`${unfinished}/${name}`);
  }
  host.move(unfinished, folder);
}

/** Puts the databases of a snapshot back. The service must be stopped and held; repeating it does no harm. */
export function restoreDatabases(host: Host, spec: ProgramSpec, folder: string): void {
  const { dataDir } = layoutOf(spec);
  for (const name of spec.databases) {
    if (host.stat(`${folder}/${name}`) === null) continue;
    // A log of the newer program beside the older file would be replayed into it.
    for (const suffix of ["-wal", "-shm"]) host.remove(`${dataDir}/${name}${suffix}`);
    host.copy(`${folder}/${name}`, `${dataDir}/${name}`, 0o600);
  }
}

import { afterAll } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSqlDb } from "../../src/kernel/sql/create-db.ts";
import type { Driver, SqlDb } from "../../src/kernel/sql/port.ts";
import { openPostgres } from "../../src/kernel/sql/postgres-driver.ts";
import { openSqlite } from "../../src/kernel/sql/sqlite-driver.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { migratePanel } from "../../src/panel/open-data.ts";
import { suite } from "./env.ts";
import { watchingLocks } from "./lock-order.ts";
import { createPostgresDatabase } from "./postgres.ts";
import { makeScratch } from "./scratch.ts";

export type Engine = SqlDb["engine"];

/** Runs the same tests on both engines: `onEachEngine("last owner", (engine) => { test(…) })`. */
export function onEachEngine(name: string, body: (engine: Engine) => void): void {
  suite(`${name} on SQLite`, [], () => body("sqlite"));
  suite(`${name} on PostgreSQL`, ["postgres"], () => body("postgres"));
}

/** Opens fresh databases, which go away after the tests of the suite that asks. */
export interface Databases {
  open(): Promise<SqlDb>;
}

/** Empty ones. */
export function freshDatabases(engine: Engine): Databases {
  return databasesFrom(
    engine === "sqlite"
      ? (path) => openSqlite(path, systemClock)
      : async () => openPostgres(await createPostgresDatabase(), systemClock),
  );
}

/** Those of a panel that has just started for the first time: copies of one, for its migrations take ten times as long. */
export function panelDatabases(engine: Engine): Databases {
  return databasesFrom(engine === "sqlite" ? openPanelFile : openPanelPostgres);
}

/** Enough for transactions that race; each is a process of PostgreSQL that learns its catalogue anew. */
const CONNECTIONS = 4;

/** What the migrations of a panel left, made once by the process. */
const made: { file?: Promise<Uint8Array>; url?: Promise<string> } = {};

async function openPanelFile(path: string): Promise<Driver> {
  made.file ??= migrateFile(`${path}-first`);
  writeFileSync(path, await made.file);
  return openSqlite(path, systemClock);
}

async function openPanelPostgres(): Promise<Driver> {
  made.url ??= migratePostgres();
  return openPostgres(await createPostgresDatabase({ template: await made.url }), systemClock, {
    connections: CONNECTIONS,
  });
}

async function migrateFile(path: string): Promise<Uint8Array> {
  await migrateAndClose(await openSqlite(path, systemClock));
  return readFileSync(path);
}

async function migratePostgres(): Promise<string> {
  const url = await createPostgresDatabase();
  await migrateAndClose(await openPostgres(url, systemClock, { connections: 1 }));
  return url;
}

async function migrateAndClose(driver: Driver): Promise<void> {
  const db = createSqlDb(driver);
  await migratePanel(db, "2026-01-01T00:00:00.000Z", "/nowhere");
  await db.close();
}

function databasesFrom(openDriver: (path: string) => Promise<Driver>): Databases {
  const folder = makeScratch("sql");
  const opened: SqlDb[] = [];
  let count = 0;
  afterAll(async () => {
    for (const db of opened) await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    async open() {
      const db = createSqlDb(watchingLocks(await openDriver(join(folder, `${++count}.db`))));
      opened.push(db);
      return db;
    },
  };
}

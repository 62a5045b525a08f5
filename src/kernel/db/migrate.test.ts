import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { MigrationError, migrate, migrationsOf, snapshotDatabase } from "./migrate.ts";
import { closeDatabase, openDatabase } from "./open.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const FIRST = "CREATE TABLE a (v TEXT NOT NULL) STRICT; INSERT INTO a VALUES ('kept');";
const SECOND = "ALTER TABLE a ADD COLUMN w TEXT; UPDATE a SET w = 'new';";

let folder: string;
beforeEach(() => {
  folder = makeScratch("migrate");
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string) => join(folder, name);
const noSnapshot = () => {
  throw new Error("no snapshot was expected");
};

/** Everything a database holds, to compare before and after. */
function dump(db: Database): unknown {
  const tables = db.query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  return tables.map(({ name, sql }) => [
    sql,
    sql?.startsWith("CREATE TABLE") ? db.query(`SELECT * FROM ${name}`).all() : [],
  ]);
}

test("every statement of a new database runs once, without a snapshot", () => {
  const db = openDatabase(":memory:");
  const all = [...migrationsOf("one", [FIRST, SECOND]), ...migrationsOf("two", ["CREATE TABLE b (v TEXT) STRICT"])];
  expect(migrate(db, all, NOW, noSnapshot)).toBe(3);
  expect(migrate(db, all, NOW, noSnapshot)).toBe(0);
  expect(db.query("SELECT v, w FROM a").all()).toEqual([{ v: "kept", w: "new" }]);
  expect(db.query("SELECT feature, number, applied_at FROM migrations ORDER BY 1, 2").all()).toEqual([
    { feature: "one", number: 1, applied_at: NOW },
    { feature: "one", number: 2, applied_at: NOW },
    { feature: "two", number: 1, applied_at: NOW },
  ]);
});

test("an edited migration is refused before anything is touched", () => {
  const db = openDatabase(":memory:");
  migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot);
  const before = dump(db);
  const edited = migrationsOf("one", [`${FIRST} `, SECOND]);
  expect(() => migrate(db, edited, NOW, noSnapshot)).toThrow("migration one/1 was edited after release");
  expect(dump(db)).toEqual(before);
});

test("a database of a newer program is refused with what to do", () => {
  const db = openDatabase(":memory:");
  migrate(db, migrationsOf("one", [FIRST, SECOND]), NOW, noSnapshot);
  const run = () => migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot);
  expect(run).toThrow(MigrationError);
  expect(run).toThrow(/newer version \(it has migration one\/2\).*restore the snapshot/);
});

test("the snapshot is taken before the change, holds the old state and opens by itself", () => {
  const db = openDatabase(fileOf("main.db"));
  migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot);
  let snapshots = 0;
  migrate(db, migrationsOf("one", [FIRST, SECOND, "CREATE TABLE c (v TEXT) STRICT"]), NOW, () => {
    snapshots += 1;
    snapshotDatabase(db, fileOf("before.db"));
  });
  expect(snapshots).toBe(1);
  const old = openDatabase(fileOf("before.db"));
  expect(old.query("SELECT * FROM a").all()).toEqual([{ v: "kept" }]);
  expect(migrate(old, migrationsOf("one", [FIRST]), NOW, noSnapshot)).toBe(0);
  closeDatabase(old);
  closeDatabase(db);
});

test("without a snapshot there is no migration", () => {
  const db = openDatabase(fileOf("main.db"));
  migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot);
  const before = dump(db);
  snapshotDatabase(db, fileOf("taken.db"));
  const run = () =>
    migrate(db, migrationsOf("one", [FIRST, SECOND]), NOW, () => snapshotDatabase(db, fileOf("taken.db")));
  expect(run).toThrow();
  expect(dump(db)).toEqual(before);
  closeDatabase(db);
});

test("a migration that fails half-way leaves the previous state, also of those before it", () => {
  const db = openDatabase(":memory:");
  migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot);
  const before = dump(db);
  const broken = "CREATE TABLE c (v TEXT) STRICT; INSERT INTO c VALUES ('x'); INSERT INTO missing VALUES (1);";
  const run = () => migrate(db, migrationsOf("one", [FIRST, SECOND, broken]), NOW, () => {});
  expect(run).toThrow(/migration one\/3 failed, nothing was changed: .*missing/);
  expect(dump(db)).toEqual(before);
  expect(migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot)).toBe(0);
});

test("a process that dies in the middle of a migration leaves the previous state", async () => {
  const path = fileOf("main.db");
  const db = openDatabase(path);
  migrate(db, migrationsOf("one", [FIRST]), NOW, noSnapshot);
  const before = dump(db);
  closeDatabase(db);
  // The child is killed inside the transaction, when the third file is read for the second time: to be run.
  const script = `
    const { openDatabase } = await import(${JSON.stringify(join(import.meta.dir, "open.ts"))});
    const { migrate, migrationsOf } = await import(${JSON.stringify(join(import.meta.dir, "migrate.ts"))});
    const db = openDatabase(${JSON.stringify(path)});
    const files = ${JSON.stringify([FIRST, SECOND, "CREATE TABLE c (v TEXT) STRICT"])};
    const [first, second, third] = migrationsOf("one", files);
    let reads = 0;
    const deadly = {
      ...third,
      get sql() {
        if (reads++ > 0) process.kill(process.pid, "SIGKILL");
        return files[2];
      },
    };
    migrate(db, [first, second, deadly], "${NOW}", () => {});
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "pipe" });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const again = openDatabase(path);
  expect(dump(again)).toEqual(before);
  expect(again.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  closeDatabase(again);
});

test("our databases keep acknowledged writes, check references and use a write-ahead log", () => {
  const db = openDatabase(fileOf("main.db"));
  const pragma = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() ?? {})[0];
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys"), pragma("busy_timeout")]).toEqual([
    "wal",
    2,
    1,
    10_000,
  ]);
  closeDatabase(db);
});

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogSync } from "./log-sync.ts";
import { openDatabase } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-log-sync-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("whoever asks while a turn is under way gets the next one, all of them the same", async () => {
  const file = join(folder, "shared.db");
  const db = openDatabase(file);
  db.run("CREATE TABLE t (v TEXT) STRICT");
  const sync = createLogSync(file);
  const first = sync();
  const [second, third] = [sync(), sync()];
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  await Promise.all([first, second]);
  const later = sync();
  expect(later).not.toBe(second);
  await later;
  db.close();
});

test("a turn that fails fails those who asked for it, and the next one goes its own way", async () => {
  const file = join(folder, "missing.db");
  const sync = createLogSync(file);
  const first = sync().catch((error: Error) => error.message);
  const second = sync();
  const db = openDatabase(file);
  db.run("CREATE TABLE t (v TEXT) STRICT");
  expect(await first).toContain("ENOENT");
  await second;
  db.close();
});

test("the log that stays open is still the one in use after it was folded into the database", async () => {
  const file = join(folder, "folded.db");
  const db = openDatabase(file);
  db.run("CREATE TABLE t (v TEXT) STRICT");
  const sync = createLogSync(file);
  await sync();
  const opened = statSync(`${file}-wal`).ino;
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.run("INSERT INTO t VALUES ('a')");
  const second = openDatabase(file);
  second.run("INSERT INTO t VALUES ('b')");
  second.close();
  expect(statSync(`${file}-wal`).ino).toBe(opened);
  await sync();
  db.close();
});

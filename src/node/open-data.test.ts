import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../tests/kit/scratch.ts";
import { closeDatabase } from "../kernel/db/open.ts";
import { openData } from "./open-data.ts";

let folder = "";
beforeEach(() => {
  folder = join(makeScratch("data"), "new", "node");
});
afterEach(() => rmSync(join(folder, "../.."), { recursive: true }));

function openAndClose(): Uint8Array {
  const { mainDb, metricsDb, sealKey } = openData(folder, createFakeClock());
  closeDatabase(mainDb);
  closeDatabase(metricsDb);
  return sealKey;
}

test("a new folder gets databases and key that only their owner can read; a second start finds the same", () => {
  const key = openAndClose();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ["main.db", "metrics.db", "node.key"]) {
    expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
  }
  expect(Buffer.from(openAndClose())).toEqual(Buffer.from(key));
  expect(readdirSync(join(folder, "snapshots"))).toEqual([]);
});

test("a database whose key is gone is not opened under a new one", () => {
  openAndClose();
  rmSync(join(folder, "node.key"));
  expect(() => openAndClose()).toThrow("restore it from the recovery kit");
  expect(existsSync(join(folder, "node.key"))).toBe(false);
});

test("a migration that is new to this database keeps a snapshot of the state before", () => {
  const { mainDb, metricsDb } = openData(folder, createFakeClock());
  mainDb.run("DROP TABLE settings");
  mainDb.run("DELETE FROM migrations WHERE feature = 'settings'");
  closeDatabase(mainDb);
  closeDatabase(metricsDb);
  openAndClose();
  expect(readdirSync(join(folder, "snapshots"))).toEqual(["main-2026-01-01T00-00-00.000Z.db"]);
});

test.each([
  ["is no database", () => Buffer.from("this is no database at all, and long enough to be looked at".repeat(40))],
  ["is broken inside", (good: Buffer) => Buffer.concat([good.subarray(0, 100), Buffer.alloc(good.length - 100, 7)])],
])("a history that %s is put aside, and the node starts", (_, spoil) => {
  openAndClose();
  const path = join(folder, "metrics.db");
  writeFileSync(path, spoil(readFileSync(path)));
  openAndClose();
  expect(existsSync(`${path}.damaged`)).toBeTrue();
  const { mainDb, metricsDb } = openData(folder, createFakeClock());
  expect(metricsDb.query("SELECT count(*) AS count FROM m1_host").get()).toEqual({ count: 0 });
  closeDatabase(metricsDb);
  closeDatabase(mainDb);
});

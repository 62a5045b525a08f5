import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../tests/kit/scratch.ts";
import { closeDatabase, openDatabase } from "../kernel/db/open.ts";
import { openData } from "./open-data.ts";

let scratch: string;
let folder: string;
beforeEach(() => {
  scratch = makeScratch("data");
  folder = join(scratch, "new", "node");
});
// Not by a way up from the other: where there was no scratch folder, that would lead out of the checkout.
afterEach(() => rmSync(scratch, { recursive: true }));

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

describe("the series can be lost", () => {
  const path = () => join(folder, "metrics.db");
  const open = () => {
    const { mainDb, metricsDb, seriesLost } = openData(folder, createFakeClock());
    const rows = metricsDb.query<{ n: number }, []>("SELECT count(*) AS n FROM migrations").get()?.n ?? 0;
    closeDatabase(mainDb);
    closeDatabase(metricsDb);
    return { seriesLost, isReady: rows > 0 };
  };
  beforeEach(openAndClose);

  test("whoever deletes them gets new ones", () => {
    rmSync(path());
    expect(open()).toEqual({ seriesLost: null, isReady: true });
  });

  test.each<[string, () => Buffer]>([
    ["what is no database at all", () => Buffer.alloc(40_000, 7)],
    ["a file with overwritten pages", () => readFileSync(path()).fill(0xa5, 4096)],
    ["a file that was cut", () => readFileSync(path()).subarray(0, 4096 * 2 + 100)],
  ])("%s is put aside, and the next start is an ordinary one", (_what, damaged) => {
    const bytes = damaged();
    writeFileSync(path(), bytes);
    writeFileSync(`${path()}-wal`, "of the damaged file");
    expect(open()).toEqual({ seriesLost: expect.any(String), isReady: true });
    expect(readFileSync(`${path()}.set-aside`).equals(bytes)).toBe(true);
    expect(open()).toEqual({ seriesLost: null, isReady: true });
  });

  test("so are those of a newer program, which an upgrade that was taken back leaves", () => {
    const db = openDatabase(path());
    db.run("INSERT INTO migrations VALUES ('metrics', 99, 'x', '2026-01-01T00:00:00.000Z')");
    closeDatabase(db);
    expect(open()).toEqual({ seriesLost: expect.stringContaining("newer version"), isReady: true });
  });

  test("accounts and apps cannot: their damaged database ends the start", () => {
    writeFileSync(join(folder, "main.db"), Buffer.alloc(40_000, 7));
    expect(open).toThrow("not a database");
  });
});

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { openDatabase } from "./open.ts";
import { createStore } from "./store.ts";

const folder = makeScratch("store-memory");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openRow(path = ":memory:") {
  let now = 0;
  let reads = 0;
  const raw = openDatabase(path);
  raw.run("CREATE TABLE IF NOT EXISTS t (id TEXT PRIMARY KEY, v TEXT NOT NULL) STRICT");
  raw.run("INSERT OR REPLACE INTO t VALUES ('a', 'one')");
  const store = createStore(raw, () => now);
  const find = (id: string) =>
    store.remember(id, () => {
      reads += 1;
      return raw.query<{ v: string }, [string]>("SELECT v FROM t WHERE id = ?").get(id)?.v ?? null;
    });
  const write = (value: string) => raw.query("UPDATE t SET v = ? WHERE id = 'a'").run(value);
  return { store, find, write, reads: () => reads, wait: (ms: number) => (now += ms) };
}

test("an answer is read once while nothing changes, also when there is none", () => {
  const { find, reads } = openRow();
  expect([find("a"), find("a"), find("x"), find("x")]).toEqual(["one", "one", null, null]);
  expect(reads()).toBe(2);
});

test("every write is seen at once, inside a transaction too", () => {
  const { store, find, write } = openRow();
  find("a");
  write("two");
  expect(find("a")).toBe("two");
  store.tx(() => {
    write("three");
    expect(find("a")).toBe("three");
  });
  expect(find("a")).toBe("three");
});

test("what a rolled back transaction read was never true", () => {
  const { store, find, write } = openRow();
  const fail = (depth: number): void =>
    store.tx(() => {
      write("undone");
      expect(find("a")).toBe("undone");
      if (depth > 0) fail(depth - 1);
      throw new Error("no");
    });
  expect(() => fail(0)).toThrow("no");
  expect(find("a")).toBe("one");
  store.tx(() => {
    expect(() => fail(0)).toThrow("no");
    expect(find("a")).toBe("one");
  });
  expect(find("a")).toBe("one");
});

test("what another connection writes is seen within a second", () => {
  const path = join(folder, "shared.db");
  const { find, wait } = openRow(path);
  expect(find("a")).toBe("one");
  const other = new Database(path);
  other.run("UPDATE t SET v = 'foreign'");
  other.close();
  wait(999);
  find("a");
  wait(1);
  expect(find("a")).toBe("foreign");
});

test("what another connection writes is known at once to whoever asks, and what this one writes is not foreign", () => {
  const path = join(folder, "asked.db");
  const { store, find } = openRow(path);
  expect([find("a"), store.hasForeignChange()]).toEqual(["one", false]);
  store.tx(() => store.raw.run("UPDATE t SET v = 'own'"));
  expect([find("a"), store.hasForeignChange()]).toEqual(["own", false]);
  const other = new Database(path);
  other.run("UPDATE t SET v = 'foreign'");
  other.close();
  expect([find("a"), store.hasForeignChange(), find("a"), store.hasForeignChange()]).toEqual([
    ...["own", true, "foreign", false],
  ]);
});

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "./open.ts";
import { createStore } from "./store.ts";

function openStore() {
  const raw = new Database(":memory:", { strict: true });
  raw.run("CREATE TABLE t (v TEXT NOT NULL) STRICT");
  const store = createStore(raw);
  const insert = (value: string) => raw.query("INSERT INTO t VALUES (?)").run(value);
  const values = () =>
    raw
      .query<{ v: string }, []>("SELECT v FROM t ORDER BY rowid")
      .all()
      .map((row) => row.v);
  return { store, insert, values };
}

test("a transaction returns its value and runs effects after the commit, in order", () => {
  const { store, insert, values } = openStore();
  const seen: string[] = [];
  const result = store.tx(() => {
    store.afterCommit(() => seen.push(`first:${values().join()}`));
    insert("a");
    store.tx(() => {
      insert("b");
      store.afterCommit(() => seen.push("second"));
    });
    seen.push("inside");
    return 7;
  });
  expect(result).toBe(7);
  expect(seen).toEqual(["inside", "first:a,b", "second"]);
});

test("a rollback takes data and effects along, and the next transaction starts clean", () => {
  const { store, insert, values } = openStore();
  const seen: string[] = [];
  expect(() =>
    store.tx(() => {
      insert("a");
      store.afterCommit(() => seen.push("lost"));
      throw new Error("no");
    }),
  ).toThrow("no");
  store.tx(() => {
    insert("b");
    store.afterCommit(() => seen.push("kept"));
  });
  expect([values(), seen]).toEqual([["b"], ["kept"]]);
});

test("a nested transaction whose error is caught leaves neither data nor effects", () => {
  const { store, insert, values } = openStore();
  const seen: string[] = [];
  store.tx(() => {
    insert("outer");
    store.afterCommit(() => seen.push("outer"));
    try {
      store.tx(() => {
        insert("inner");
        store.afterCommit(() => seen.push("inner"));
        throw new Error("inner failed");
      });
    } catch {
      insert("after");
    }
  });
  expect([values(), seen]).toEqual([["outer", "after"], ["outer"]]);
});

test("outside a transaction an effect runs at once", () => {
  const { store } = openStore();
  let ran = false;
  store.afterCommit(() => {
    ran = true;
  });
  expect(ran).toBe(true);
});

test("effects may open transactions of their own", () => {
  const { store, insert, values } = openStore();
  store.tx(() => {
    insert("a");
    store.afterCommit(() => store.tx(() => insert("b")));
  });
  expect(values()).toEqual(["a", "b"]);
});

test("a failing effect costs neither the data nor the other effects", () => {
  const { store, insert, values } = openStore();
  const seen: string[] = [];
  const run = () =>
    store.tx(() => {
      insert("a");
      store.afterCommit(() => {
        throw new Error("effect failed");
      });
      store.afterCommit(() => seen.push("ran"));
    });
  expect(run).toThrow("the data is committed");
  expect([values(), seen]).toEqual([["a"], ["ran"]]);
});

test("an asynchronous transaction is refused and rolled back", () => {
  const { store, insert, values } = openStore();
  expect(() =>
    store.tx(async () => {
      insert("a");
    }),
  ).toThrow("must be synchronous");
  expect(values()).toEqual([]);
});

test("a transaction aside has committed at once, and its effects wait for the disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-store-"));
  const raw = openDatabase(join(folder, "main.db"));
  raw.run("CREATE TABLE t (v TEXT NOT NULL) STRICT");
  const store = createStore(raw);
  const values = () => raw.query<{ v: string }, []>("SELECT v FROM t").all();
  const durability = () => raw.query<{ synchronous: number }, []>("PRAGMA synchronous").get()?.synchronous;
  const seen: string[] = [];
  const done = store.txAside(() => {
    raw.run("INSERT INTO t VALUES ('a')");
    store.afterCommit(() => seen.push("effect"));
    return 7;
  });
  expect([values(), seen, durability()]).toEqual([[{ v: "a" }], [], 2]);
  expect(await done).toBe(7);
  expect(seen).toEqual(["effect"]);

  const undone = store.txAside(() => {
    raw.run("INSERT INTO t VALUES ('b')");
    store.afterCommit(() => seen.push("lost"));
    throw new Error("no");
  });
  expect(await undone.catch((error: Error) => error.message)).toBe("no");
  expect([values().length, seen, durability()]).toEqual([1, ["effect"], 2]);
  let inside: Promise<unknown> | undefined;
  store.tx(() => {
    inside = store.txAside(() => 1).catch((error: Error) => error.message);
  });
  expect(await inside).toContain("cannot be part of another");
  raw.close();
  rmSync(folder, { recursive: true });
});

test("nothing stays of a transaction that a full disk ended in its middle, however deep and whoever caught it", () => {
  const { store, insert, values } = openStore();
  const { page_count } = store.raw.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? { page_count: 0 };
  store.raw.run(`PRAGMA max_page_count = ${page_count + 1}`);
  const seen: string[] = [];
  const swallow = (run: () => void) => {
    try {
      store.tx(run);
    } catch {
      // As a bus does for those who listen.
    }
  };
  const fill = () => void insert("x".repeat(100_000));
  const attempt = (middle: () => void) =>
    store.tx(() => {
      insert("before");
      store.afterCommit(() => seen.push("effect"));
      middle();
      insert("after");
    });
  for (const middle of [
    () => swallow(fill),
    () => swallow(() => swallow(fill)),
    () => {
      swallow(fill);
      swallow(fill);
      swallow(() => void insert("between"));
    },
  ]) {
    expect(() => attempt(middle)).toThrow("full");
    expect([values(), seen, store.raw.inTransaction]).toEqual([[], [], false]);
  }
  store.tx(() => insert("later"));
  expect(values()).toEqual(["later"]);
});

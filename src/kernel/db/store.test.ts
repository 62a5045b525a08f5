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

/** A database on the disk, whose transactions can wait for it aside. */
/** A store in a file; `monotonic` is what it takes the time of its turns from. */
function openOnDisk(monotonic?: () => number) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-store-"));
  const raw = openDatabase(join(folder, "main.db"));
  raw.run("CREATE TABLE t (v TEXT NOT NULL) STRICT");
  return {
    store: createStore(raw, monotonic),
    insert: (value: string) => void raw.query("INSERT INTO t VALUES (?)").run(value),
    values: () =>
      raw
        .query<{ v: string }, []>("SELECT v FROM t ORDER BY rowid")
        .all()
        .map(({ v }) => v),
    durability: () => raw.query<{ synchronous: number }, []>("PRAGMA synchronous").get()?.synchronous,
    close() {
      raw.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: Error) => error.message,
  );

test("a transaction aside waits for its turn, and its effects for the disk", async () => {
  const { store, insert, values, durability, close } = openOnDisk();
  const seen: string[] = [];
  const done = store.txAside(() => {
    insert("a");
    store.afterCommit(() => seen.push(`effect of ${values().join()}`));
    return 7;
  });
  expect([values(), seen, durability()]).toEqual([[], [], 2]);
  expect(await done).toBe(7);
  expect([values(), seen, durability()]).toEqual([["a"], ["effect of a"], 2]);

  const undone = store.txAside(() => {
    insert("b");
    store.afterCommit(() => seen.push("lost"));
    throw new Error("no");
  });
  expect(await messageOf(undone)).toBe("no");
  expect([values(), seen, durability()]).toEqual([["a"], ["effect of a"], 2]);
  let inside: Promise<string> | undefined;
  store.tx(() => {
    inside = messageOf(store.txAside(() => 1));
  });
  expect(await inside).toContain("cannot be part of another");
  close();
});

test("those who come together share a commit in their order, and what one throws or its effects throw is its own", async () => {
  const { store, insert, values, close } = openOnDisk(() => 0);
  const seen: string[] = [];
  const effects = new Set<string>();
  const add = (value: string, problem: "none" | "inside" | "after" = "none") =>
    store
      .txAside(() => {
        insert(value);
        store.afterCommit(() => {
          // Nobody's effects run before all of them have committed.
          effects.add(values().join());
          if (problem === "after") throw new Error("an effect failed");
        });
        if (problem === "inside") throw new Error("refused");
        return value;
      })
      .then(
        (done) => void seen.push(done),
        ({ message }: Error) => void seen.push(`${value}: ${message}`),
      );
  await Promise.all([add("a"), add("b", "inside"), add("c", "after"), add("d")]);
  expect(values()).toEqual(["a", "c", "d"]);
  expect(seen).toEqual(["a", "b: refused", "c: the data is committed, but not everything after it ran", "d"]);
  expect([...effects]).toEqual(["a,c,d"]);
  // Who comes while the disk is waited for has a turn as well.
  const first = add("e");
  await new Promise(setImmediate);
  await Promise.all([first, add("f")]);
  expect(values()).toEqual(["a", "c", "d", "e", "f"]);
  close();
});

test("what takes long goes in several commits, so that others get a word in between", async () => {
  const raw = new Database(":memory:", { strict: true });
  raw.run("CREATE TABLE t (v TEXT NOT NULL) STRICT");
  let now = 0;
  const store = createStore(raw, () => now);
  const told: number[] = [];
  let begun = 0;
  const add = (ms: number) =>
    store.txAside(() => {
      begun += 1;
      now += ms;
      store.afterCommit(() => told.push(begun));
    });
  await Promise.all([add(3), add(3), add(50), add(1)]);
  // How many had begun when each of them was told.
  expect(told).toEqual([2, 2, 3, 4]);
});

test("nobody is left waiting where a transaction cannot begin or be kept", async () => {
  const { store, insert, values, close } = openOnDisk();
  store.raw.run("PRAGMA max_page_count = 4");
  const fits = messageOf(store.txAside(() => insert("a")));
  const full = messageOf(store.txAside(() => insert("x".repeat(100_000))));
  expect([await fits, await full]).toEqual([expect.stringContaining("full"), expect.stringContaining("full")]);
  expect(await store.txAside(() => insert("b"))).toBeUndefined();
  expect(values()).toEqual(["b"]);
  const late = [store.txAside(() => insert("c")), store.txAside(() => insert("d"))].map(messageOf);
  close();
  for (const each of await Promise.all(late)) expect(each).not.toBe("");
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

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { whileAnswering } from "../../lib/standing.ts";
import { createStore } from "./store.ts";

/** A store, and somebody who was let in and whose access ends when it is said. */
function openStore() {
  const raw = new Database(":memory:", { strict: true });
  raw.run("CREATE TABLE t (v TEXT NOT NULL) STRICT");
  const store = createStore(raw);
  let count = 0;
  const ask = () => {
    throw new Error("it has ended");
  };
  const end = () => {
    count += 1;
  };
  return {
    store,
    insert: (value: string) => () => void raw.query("INSERT INTO t VALUES (?)").run(value),
    values: () => raw.query("SELECT v FROM t ORDER BY rowid").values().flat(),
    end,
    answer: <T>(work: () => Promise<T>) => whileAnswering({ epoch: () => count, ask }, 0, work),
  };
}

test("no transaction is begun for somebody whose access has ended, alone or in a crowd", async () => {
  const { store, insert, values, end, answer } = openStore();
  const tried = await answer(async () => {
    store.tx(insert("before"));
    const aside = store.txAside(insert("aside"));
    end();
    const late = (async () => store.tx(insert("late")))();
    return Promise.all([late.catch(String), aside.catch(String)]);
  });
  expect(tried).toEqual(["Error: it has ended", "Error: it has ended"]);
  expect(values()).toEqual(["before"]);
});

test("those who share a commit with them, and what they did already, are written down all the same", async () => {
  const { store, insert, values, end, answer } = openStore();
  const theirs = answer(async () => {
    const refused = store.txAside(insert("theirs"));
    end();
    store.record(insert("done"));
    return refused;
  });
  const others = store.txAside(insert("of others"));
  expect(await theirs.catch(String)).toBe("Error: it has ended");
  await others;
  expect(values()).toEqual(["done", "of others"]);
});

test("what follows from a change is nobody's errand", async () => {
  const { store, insert, values, end, answer } = openStore();
  await answer(async () => {
    store.tx(() => {
      store.afterCommit(() => {
        end();
        store.tx(insert("after it"));
      });
      insert("it")();
    });
  });
  expect(values()).toEqual(["it", "after it"]);
});

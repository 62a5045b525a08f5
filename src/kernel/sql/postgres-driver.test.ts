import { afterAll, expect, test } from "bun:test";
import { suite } from "../../../tests/kit/env.ts";
import { createPostgresDatabase } from "../../../tests/kit/postgres.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Whose } from "../../lib/fair-turns.ts";
import { createSqlDb } from "./create-db.ts";
import { type SqlDb, VISITORS } from "./port.ts";
import { openPostgres, type PostgresOptions } from "./postgres-driver.ts";

suite("connections to PostgreSQL", ["postgres"], () => {
  const opened: SqlDb[] = [];
  const open = async (options: PostgresOptions): Promise<SqlDb> => {
    const db = createSqlDb(await openPostgres(await createPostgresDatabase(), systemClock, options));
    opened.push(db);
    return db;
  };
  afterAll(async () => {
    for (const db of opened) await db.close();
  });

  /** Holds a lock still until `end`; `wait` is a statement that waits for it, `waits` a transaction of somebody with it. */
  async function hold(db: SqlDb) {
    const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = db.tx(async (tx) => {
      await tx.all("SELECT pg_advisory_xact_lock(1)");
      locked.resolve();
      await ended.promise;
    });
    await locked.promise;
    const end = () => {
      ended.resolve();
      return holding;
    };
    const wait = "SELECT pg_advisory_xact_lock_shared(1)";
    return { end, wait, waits: (of: SqlDb) => of.tx((tx) => tx.all(wait)) };
  }

  test("a workspace whose statements all wait leaves connections to others, to read and to change", async () => {
    const db = await open({ connections: 16 });
    const one = db.scoped({ "app.tenant": "one" }, ["one", "ada"]);
    const two = db.scoped({ "app.tenant": "two" }, ["two", "bo"]);
    const { end, waits, wait } = await hold(db);
    const held = Array.from({ length: 20 }, () => [one.all(wait), waits(one)]).flat();
    expect(await two.get("SELECT 2 AS it")).toEqual({ it: 2 });
    expect(await two.tx((tx) => tx.get("SELECT 3 AS it"))).toEqual({ it: 3 });
    await end();
    await Promise.all(held);
  });

  test("visitors of one site whose changes all wait leave connections to those of others", async () => {
    const db = await open({ connections: 16, rowWaitMs: 600_000 });
    const { end, waits } = await hold(db);
    const done: string[] = [];
    const held = Array.from({ length: 20 }, async () => {
      await waits(db.scoped({}, [VISITORS, "2001:db8:1::/48"]));
      done.push("crowd");
    });
    for (const site of ["198.51.100.0/24", "203.0.113.0/24"])
      done.push(await db.scoped({}, [VISITORS, site]).tx(async () => site));
    await end();
    await Promise.all(held);
    expect(done.slice(0, 3)).toEqual(["198.51.100.0/24", "203.0.113.0/24", "crowd"]);
  });

  test("those of a site whose changes wait for a row leave the others of it theirs, and go on once it is free", async () => {
    const db = await open({ connections: 16, rowWaitMs: 600_000 });
    const { end, waits } = await hold(db);
    const visitor = (network: string) => db.scoped({}, [VISITORS, "2001:db8:1::/48", network]);
    const held = Array.from({ length: 4 }, (_, no) => waits(visitor(`2001:db8:1:${no}::/64`)));
    for (const no of [1, 2, 3])
      expect(await visitor("2001:db8:1:9::/64").tx((tx) => tx.get("SELECT CAST(? AS INT) AS it", [no]))).toEqual({
        it: no,
      });
    await end();
    expect(await Promise.all(held)).toHaveLength(4);
  });

  test("a visitor waits for so long for what others hold, whoever is let in as long as it takes", async () => {
    const db = await open({ connections: 8, rowWaitMs: 1 });
    const { end, waits } = await hold(db);
    const done: string[] = [];
    const [own, member] = [db, db.scoped({ "app.tenant": "one" }, ["one", "ada"])].map(async (of) => {
      await waits(of);
      done.push("let in");
    });
    const error = await waits(db.scoped({}, [VISITORS, "198.51.100.0/24"])).catch((thrown: unknown) => thrown);
    done.push((error as { errno?: string }).errno ?? String(error));
    await end();
    await Promise.all([own, member]);
    expect(done).toEqual(["55P03", "let in", "let in"]);
    // The next one of that connection has no such limit.
    expect(await db.tx((tx) => tx.get("SELECT current_setting('lock_timeout') AS it"))).toEqual({ it: "0" });
  });

  test("a statement alone has its settings, says itself what is wrong with it, and leaves nothing behind", async () => {
    const db = await open({ connections: 2 });
    const one = db.scoped({ "app.tenant": "one", "app.system": "on" }, ["one", "ada"]);
    const settings =
      "SELECT current_setting('app.tenant', true) AS tenant, current_setting('app.system', true) AS system";
    for (let no = 0; no < 5; no++) {
      expect(await one.get(settings)).toEqual({ tenant: "one", system: "on" });
      expect(String(await one.all("SELECT nothing_like_it()").catch((error) => error))).toContain("nothing_like_it");
      const left = (await db.get(settings)) as Record<string, unknown>;
      expect([left["tenant"] || null, left["system"] || null]).toEqual([null, null]);
    }
    await db.tx((tx) => tx.script("CREATE TABLE things (id TEXT PRIMARY KEY)"));
    expect(await one.run("INSERT INTO things (id) VALUES (?)", ["a"])).toBe(1);
    expect(String(await one.run("INSERT INTO things (id) VALUES (?)", ["a"]).catch((error) => error))).toContain(
      "things_pkey",
    );
    expect(await one.run("UPDATE things SET id = ?", ["b"])).toBe(1);
  });

  test("whoever reads much waits for a turn before it is handed on; the program's own work does not", async () => {
    const asked: Whose[] = [];
    const takeTurn = (whose: Whose) => {
      asked.push(whose);
      return undefined;
    };
    const db = await open({ connections: 2, takeTurn });
    const one = db.scoped({ "app.tenant": "one" }, ["one", "ada"]);
    const rows = "SELECT no FROM generate_series(1, ?::int) AS no";
    await one.all(rows, [100]);
    expect(await one.all(rows, [1_000])).toHaveLength(1_000);
    await db.all(rows, [1_000]);
    expect(asked).toEqual([["one", "ada"]]);
  });

  test("of two transactions that wait for each other the one that is undone runs again, and its effects come once", async () => {
    const db = await open({ connections: 8 });
    await db.tx((tx) => tx.script("CREATE TABLE rows (id TEXT PRIMARY KEY, amount INTEGER NOT NULL)"));
    for (const id of ["a", "b"]) await db.run("INSERT INTO rows (id, amount) VALUES (?, 0)", [id]);
    const add = "UPDATE rows SET amount = amount + 1 WHERE id = ?";
    const holds = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    let runs = 0;
    let effects = 0;
    const take = (first: "a" | "b", second: "a" | "b") =>
      db.tx(async (tx) => {
        runs += 1;
        tx.afterCommit(() => {
          effects += 1;
        });
        await tx.run(add, [first]);
        holds[first].resolve();
        await holds[second].promise;
        await tx.run(add, [second]);
      });
    await Promise.all([take("a", "b"), take("b", "a")]);
    expect(await db.all("SELECT amount FROM rows ORDER BY id")).toEqual([{ amount: 2 }, { amount: 2 }]);
    expect([runs, effects]).toEqual([3, 2]);
  });

  test("a transaction that stands on what another one deletes meanwhile looks again", async () => {
    const db = await open({ connections: 8 });
    await db.tx((tx) => tx.script("CREATE TABLE rooms (id TEXT PRIMARY KEY)"));
    await db.tx((tx) => tx.script("CREATE TABLE chairs (room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE)"));
    await db.run("INSERT INTO rooms (id) VALUES (?)", ["a"]);
    const [looked, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const placing = db.tx(async (tx) => {
      if ((await tx.get("SELECT id FROM rooms WHERE id = ?", ["a"])) === null) return "no room";
      looked.resolve();
      await deleted.promise;
      await tx.run("INSERT INTO chairs (room) VALUES (?)", ["a"]);
      return "placed";
    });
    await looked.promise;
    await db.run("DELETE FROM rooms WHERE id = ?", ["a"]);
    deleted.resolve();
    expect(await placing).toBe("no room");
  });

  test("a transaction that is undone each time is given up, and what fails otherwise is tried once", async () => {
    const db = await open({ connections: 4 });
    for (const [state, tries] of [
      ["40P01", 3],
      ["40001", 3],
      ["23503", 3],
      ["23505", 1],
    ] as const) {
      let runs = 0;
      const failing = db.tx(async (tx) => {
        runs += 1;
        await tx.script(`DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '${state}'; END $$`);
      });
      expect(await failing.catch((error: unknown) => (error as { errno?: unknown }).errno)).toBe(state);
      expect(runs).toBe(tries);
    }
  });
});

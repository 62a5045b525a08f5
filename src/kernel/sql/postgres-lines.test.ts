import { afterEach, expect, test } from "bun:test";
import { suite } from "../../../tests/kit/env.ts";
import { createPostgresDatabase } from "../../../tests/kit/postgres.ts";
import { type BreakingWay, openBreakingWay } from "../../../tests/kit/postgres-proxy.ts";
import { quickClock } from "../../../tests/kit/quick-clock.ts";
import { until } from "../../../tests/kit/until.ts";
import { createSqlDb } from "./create-db.ts";
import type { SqlDb } from "./port.ts";
import { openPostgres } from "./postgres-driver.ts";

/** Five seconds of silence are half of one here. */
const TIMES = 10;
/** Longer than any connection may be silent without being looked at, shorter than one waits where nobody answers. */
const LONG = "SELECT 1 AS it FROM pg_sleep(1.5)";

suite("connections to PostgreSQL that went silent", ["postgres"], () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function open(): Promise<{ db: SqlDb; way: BreakingWay }> {
    const way = await openBreakingWay(await createPostgresDatabase());
    const db = createSqlDb(await openPostgres(way.url, quickClock(TIMES), { connections: 8 }));
    ends.push(() => db.close(), way.end);
    await db.tx((tx) => tx.script("CREATE TABLE words (word TEXT PRIMARY KEY, count INTEGER NOT NULL)"));
    await db.run("INSERT INTO words (word, count) VALUES ('a', 0)");
    return { db, way };
  }
  const codeOf = (waiting: Promise<unknown>) =>
    waiting.then(
      () => "answered",
      (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
    );
  const add = (db: SqlDb) => db.tx((tx) => tx.run("UPDATE words SET count = count + 1 WHERE word = 'a'"));

  test("are given up, whoever waits hears it, and others come about", async () => {
    const { db, way } = await open();
    const scoped = db.scoped({ "app.tenant": "one" }, ["one", "ada"]);
    // As many as there may be, of which most are idle then.
    await Promise.all([1, 2, 3, 4].flatMap(() => [add(db), scoped.all("SELECT 1 AS it")]));
    way.silence("open");
    const waiting = [db.all("SELECT 1 AS it"), scoped.all("SELECT 1 AS it"), add(db)].map(codeOf);
    expect(await Promise.all(waiting)).toEqual(Array(3).fill("ERR_POSTGRES_CONNECTION_CLOSED"));
    // None of those that were idle is tried.
    expect(await Promise.all([1, 2, 3, 4].map(() => scoped.get("SELECT 1 AS it")))).toEqual(Array(4).fill({ it: 1 }));
    expect(await add(db)).toBe(1);
  });

  test("hold no rows of others, though the server does not hear that they ended", async () => {
    const { db, way } = await open();
    const [held, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = db.tx(async (tx) => {
      await tx.run("UPDATE words SET count = 7 WHERE word = 'a'");
      held.resolve();
      await silent.promise;
      await tx.run("UPDATE words SET count = 8 WHERE word = 'a'");
    });
    await held.promise;
    way.silence("open");
    silent.resolve();
    expect(await codeOf(holding)).toBe("ERR_POSTGRES_CONNECTION_CLOSED");
    expect(await add(db)).toBe(1);
    expect(await db.get("SELECT count FROM words")).toEqual({ count: 1 });
  });

  test("are not taken for those over which something takes long", async () => {
    const { db, way } = await open();
    await Promise.all([db.all("SELECT 1 AS it"), add(db), add(db)]);
    way.silence("open");
    const silent = [db.all("SELECT 1 AS it"), add(db), add(db)].map(codeOf);
    // These begin over connections that come about now.
    const long = [db.all(LONG), db.tx((tx) => tx.all(LONG)), db.scoped({ "app.tenant": "one" }).all(LONG)];
    // Somebody who waits for rows is not at work for all that time either.
    const locked = Promise.withResolvers<void>();
    const holder = db.tx(async (tx) => {
      await tx.all("SELECT pg_advisory_xact_lock(1)");
      locked.resolve();
      await tx.all(LONG);
    });
    await locked.promise;
    const waits = db.tx((tx) => tx.all("SELECT 1 AS it FROM (SELECT pg_advisory_xact_lock_shared(1)) AS lock"));
    const told: unknown[] = await Promise.all([...long, waits]);
    expect(told).toEqual(Array(4).fill([{ it: 1 }]));
    await holder;
    expect(await Promise.all(silent)).toEqual(Array(3).fill("ERR_POSTGRES_CONNECTION_CLOSED"));
  });

  test("are not taken for a transaction that stands still by itself", async () => {
    const { db } = await open();
    const passed = db.all(LONG);
    const standing = db.tx(async (tx) => {
      await tx.run("UPDATE words SET count = 7 WHERE word = 'a'");
      await passed;
      return tx.run("UPDATE words SET count = 8 WHERE word = 'a'");
    });
    expect(await standing).toBe(1);
  });

  test("a commit over one of them counts when it was carried out, and its answer only was lost", async () => {
    const { db, way } = await open();
    const told: string[] = [];
    const held = way.holdNext();
    const adding = db.tx(async (tx) => {
      tx.afterCommit(() => void told.push("committed"));
      return tx.run("UPDATE words SET count = 5 WHERE word = 'a'");
    });
    await held;
    expect(await adding).toBe(1);
    expect([told, await db.get("SELECT count FROM words")]).toEqual([["committed"], { count: 5 }]);
  });

  test("and no others come about: nobody waits without end, and all is well once it answers again", async () => {
    const { db, way } = await open();
    way.silence("all");
    expect(await codeOf(db.all("SELECT 1 AS it"))).toBe("ERR_POSTGRES_CONNECTION_CLOSED");
    // It is known by now.
    for (const one of [db.all("SELECT 1 AS it"), add(db)])
      expect(await codeOf(one)).toBe("ERR_POSTGRES_CONNECTION_TIMEOUT");
    way.hear();
    await until(() => add(db).catch(() => false), { what: "the database" });
    expect(await db.get("SELECT count FROM words")).toEqual({ count: 1 });
  });
});

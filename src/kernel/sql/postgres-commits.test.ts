import { afterEach, expect, test } from "bun:test";
import { suite } from "../../../tests/kit/env.ts";
import { createPostgresDatabase } from "../../../tests/kit/postgres.ts";
import { type BreakingWay, openBreakingWay } from "../../../tests/kit/postgres-proxy.ts";
import { until } from "../../../tests/kit/until.ts";
import { systemClock } from "../../lib/clock.ts";
import { createSqlDb } from "./create-db.ts";
import type { SqlDb } from "./port.ts";
import { openPostgres } from "./postgres-driver.ts";

suite("a commit whose answer is lost", ["postgres"], () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** What waits in earnest for seconds waits here for so many times less: for where nobody can say what became of a commit. */
  async function open(times = 1): Promise<{ db: SqlDb; way: BreakingWay; told: string[] }> {
    const way = await openBreakingWay(await createPostgresDatabase());
    const clock = { ...systemClock, sleep: (ms: number) => systemClock.sleep(ms / times) };
    const db = createSqlDb(await openPostgres(way.url, clock, { connections: 4 }));
    ends.push(() => db.close(), way.end);
    await db.tx((tx) => tx.script("CREATE TABLE words (word TEXT PRIMARY KEY)"));
    return { db, way, told: [] };
  }
  const add = (db: SqlDb, word: string, told: string[]) =>
    db.tx(async (tx) => {
      tx.afterEnd(() => void told.push(`end of ${word}`));
      tx.afterCommit(() => void told.push(word));
      await tx.run("INSERT INTO words (word) VALUES (?)", [word]);
      return word;
    });
  const words = async (db: SqlDb) =>
    (await db.all<{ word: string }>("SELECT word FROM words ORDER BY word")).map(({ word }) => word);

  test("counts when it was carried out", async () => {
    const { db, way, told } = await open();
    way.breakNext("lost");
    expect(await add(db, "a", told)).toBe("a");
    expect([told, await words(db), way.broken()]).toEqual([["a", "end of a"], ["a"], 1]);
  });

  test("counts for nothing when it never came, and what it held is free", async () => {
    const { db, way, told } = await open();
    way.breakNext("kept");
    expect(await add(db, "a", told).catch((error) => error.code)).toBe("ERR_POSTGRES_CONNECTION_CLOSED");
    expect([told, await words(db), way.broken()]).toEqual([["end of a"], [], 1]);
    expect(await add(db, "a", told)).toBe("a");
  });

  test("is heard of later where the database is away, before anything that happens after it", async () => {
    const { db, way, told } = await open(50);
    way.breakNext("lost");
    way.closeWithNext();
    const failures = [
      await add(db, "a", told).catch((error) => error.code),
      await add(db, "b", told).catch(() => "away"),
    ];
    expect([told, failures]).toEqual([[], ["ERR_POSTGRES_CONNECTION_CLOSED", "away"]]);
    await way.open();
    await until(() => add(db, "c", told).catch(() => false), { what: "the database" });
    expect(told).toEqual(["a", "end of a", "c", "end of c"]);
    expect(await words(db)).toEqual(["a", "c"]);
  });

  test("is heard of by itself where nothing else happens", async () => {
    const { db, way, told } = await open(50);
    way.breakNext("lost");
    way.closeWithNext();
    await add(db, "a", told).catch(() => {});
    await way.open();
    await until(() => told.length === 2, { what: "the outcome" });
    expect(told).toEqual(["a", "end of a"]);
  });

  test("is told by its number before one of the same row that came later and was answered", async () => {
    const { db, way, told } = await open();
    await add(db, "a", []);
    const change = (word: string) =>
      db.tx(async (tx) => {
        tx.afterCommit(() => void told.push(word));
        await tx.run("UPDATE words SET word = ?", [word]);
        return word;
      });
    const held = way.holdNext();
    const first = change("first");
    await held;
    const second = change("second");
    expect([await second, await first]).toEqual(["second", "first"]);
    expect([told, await words(db)]).toEqual([["first", "second"], ["second"]]);
  });

  test("waits, where it is open still, for nobody and holds nobody up", async () => {
    const { db, way, told } = await open();
    const kept = way.keepNext();
    const late = add(db, "late", told);
    await kept;
    expect(await add(db, "next", told)).toBe("next");
    expect(told).toEqual(["next", "end of next"]);
    (await kept)();
    expect(await late).toBe("late");
    expect(await words(db)).toEqual(["late", "next"]);
  });
});

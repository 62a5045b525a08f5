import { beforeEach, expect, test } from "bun:test";
import { createFakeClock, type FakeClock } from "../../../tests/kit/fake-clock.ts";
import { freshDatabases, onEachEngine } from "../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../tests/kit/test-log.ts";
import type { SqlDb } from "../../kernel/sql/port.ts";
import { LEASE_MS, type Lease, takeLease } from "./lease.ts";

onEachEngine("the lease of a database", (engine) => {
  const databases = freshDatabases(engine);
  let db: SqlDb;
  let clock: FakeClock;
  /** Statements and transactions that the database has not answered yet. */
  let asked = 0;
  beforeEach(async () => {
    asked = 0;
    db = counted(await databases.open());
    clock = createFakeClock();
  });

  function counted(real: SqlDb): SqlDb {
    const count = async <T>(answer: Promise<T>): Promise<T> => {
      asked += 1;
      try {
        return await answer;
      } finally {
        asked -= 1;
      }
    };
    return {
      ...real,
      all: (...args) => count(real.all(...args)),
      get: (...args) => count(real.get(...args)),
      run: (...args) => count(real.run(...args)),
      tx: (...args) => count(real.tx(...args)),
    };
  }

  /** Turns the clock once the database has answered: it does so in its own time, which is not the clock's. */
  async function turn(ms: number): Promise<void> {
    do await Bun.sleep(1);
    while (asked > 0);
    await clock.advance(ms);
  }

  const { log } = createTestLog();
  /** Starts a panel; gives what became of it once the clock has been turned until that is known. */
  async function start(name: string): Promise<Lease | Error> {
    let outcome: Lease | Error | null = null;
    takeLease({ db, clock, log, holder: name, owner: `host of ${name}` }).then(
      (lease) => {
        outcome = lease;
      },
      (error) => {
        outcome = error;
      },
    );
    while (outcome === null) await turn(100);
    return outcome;
  }
  const held = async (name: string): Promise<Lease> => {
    const lease = await start(name);
    if (lease instanceof Error) throw lease;
    return lease;
  };
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 500) await turn(500);
  }

  if (engine === "sqlite") {
    test("is always there: the folder has a lock of its own", async () => {
      const first = await held("a");
      expect(first.isHeld()).toBe(true);
      await first.release();
    });
    return;
  }

  test("refuses a second panel, however long the first one runs, and says who that is", async () => {
    const first = await held("a");
    await pass(25_000);
    expect(first.isHeld()).toBe(true);
    const second = await start("b");
    expect(String(second)).toContain("another panel uses this database (host of a, since 2026-01-01T00:00");
    expect(first.isHeld()).toBe(true);
    await first.release();
  });

  test("is free at once after a clean stop", async () => {
    await (await held("a")).release();
    const begin = clock.monotonic();
    const next = await held("b");
    expect(clock.monotonic() - begin).toBeLessThan(LEASE_MS / 2);
    await next.release();
  });

  test("of a panel that was killed is taken over once its time is up, by one of those who wait", async () => {
    await takeLease({ db, clock: createFakeClock(), log, holder: "killed", owner: "h" });
    const begin = clock.monotonic();
    const both = await Promise.all([start("b"), start("c")]);
    const winners = both.filter((outcome) => !(outcome instanceof Error));
    expect(winners).toHaveLength(1);
    expect(clock.monotonic() - begin).toBeGreaterThan(LEASE_MS);
    for (const winner of winners) if (!(winner instanceof Error)) await winner.release();
  });

  test("that a panel could not renew is worth nothing, and one that another took ends its panel", async () => {
    const standing = createFakeClock();
    const first = await takeLease({ db, clock: standing, log, holder: "a", owner: "h" });
    const second = await held("b");
    // It wakes up again.
    let isLost = false;
    void first.lost.then(() => {
      isLost = true;
    });
    await standing.advance(LEASE_MS);
    while (!isLost) await Bun.sleep(1);
    expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
    await first.release();
    await pass(3_000);
    expect(second.isHeld()).toBe(true);
    await second.release();
  });

  test("that another took is the end of what its panel changes, also of what began before", async () => {
    const first = await takeLease({ db, clock: createFakeClock(), log, holder: "a", owner: "h" });
    const former = first.over(db);
    await db.tx((tx) => tx.script("CREATE TABLE words (word TEXT PRIMARY KEY)"));
    const insert = "INSERT INTO words (word) VALUES (?)";
    expect(await former.run(insert, ["before"])).toBe(1);
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = former
      .tx(async (tx) => {
        await tx.run(insert, ["late"]);
        begun.resolve();
        await goOn.promise;
      })
      .then(
        () => "done",
        () => "undone",
      );
    await begun.promise;
    const second = await held("b");
    goOn.resolve();
    expect(await late).toBe("undone");
    const own = former.scoped({ "app.system": "on" });
    for (const change of [() => former.run(insert, ["c"]), () => own.tx((tx) => tx.run(insert, ["d"]))])
      expect(await change().catch((error) => error.code)).toBe("unavailable");
    expect(await former.get("SELECT 1 AS one")).toEqual({ one: 1 });
    await second.over(db).run(insert, ["after"]);
    expect(await db.all("SELECT word FROM words ORDER BY word")).toEqual([{ word: "after" }, { word: "before" }]);
    await second.release();
  });
});

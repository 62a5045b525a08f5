import { beforeAll, expect, test } from "bun:test";
import { onEachEngine, panelDatabases } from "../../tests/kit/sql-databases.ts";
import { createAccessEnds } from "./access-ends.ts";
import { openSystem, type SystemDb } from "./data/tenant-db.ts";

onEachEngine("ends of access", (engine) => {
  const databases = panelDatabases(engine);
  let system: SystemDb;
  beforeAll(async () => {
    system = openSystem(await databases.open());
  });

  test("make everybody look anew from the moment that a transaction says so until it is over, and once after its commit", async () => {
    const ends = createAccessEnds();
    const before = ends.epoch();
    const seen: boolean[] = [ends.isUnderWay()];
    await system.tx(async (tx) => {
      ends.ended(tx, "acc_1");
      seen.push(ends.isUnderWay());
      // Who waited for its rows may go on before it is told here that it is committed.
      tx.afterCommit(() => seen.push(ends.isUnderWay()));
    });
    expect([...seen, ends.isUnderWay()]).toEqual([false, true, true, false]);
    expect(ends.epoch()).toBeGreaterThan(before);
  });

  test("of a transaction that is undone keep nobody looking", async () => {
    const ends = createAccessEnds();
    const undone = system.tx(async (tx) => {
      ends.ended(tx, "acc_1");
      ends.ended(tx, "mem_1");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(ends.isUnderWay()).toBe(false);
  });
});

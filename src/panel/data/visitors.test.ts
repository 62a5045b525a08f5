import { expect, test } from "bun:test";
import { onEachEngine, panelDatabases } from "../../../tests/kit/sql-databases.ts";
import { openSystem, type SystemDb } from "./tenant-db.ts";
import { asVisitor } from "./visitors.ts";

onEachEngine("visitors", (engine) => {
  const databases = panelDatabases(engine);

  test("one who asks for much waits behind those of other sites, and nobody makes up sites", async () => {
    const system = openSystem(await databases.open());
    const order: string[] = [];
    const opened = Promise.withResolvers<void>();
    const ask = (db: SystemDb, name: string) =>
      db.tx(async (tx) => {
        await opened.promise;
        order.push(name);
        await tx.get("SELECT 1 AS one");
      });
    const crowd = Array.from({ length: 30 }, (_, no) =>
      ask(system.onBehalfOf(asVisitor(`2001:db8:0:${no.toString(16)}::1`)), "crowd"),
    );
    const other = ask(system.onBehalfOf(asVisitor("198.51.100.9")), "other");
    const own = ask(system, "own");
    // What is held open for so long counts.
    const begun = performance.now();
    while (performance.now() - begun < 20) await system.get("SELECT 1 AS one");
    opened.resolve();
    await Promise.all([...crowd, other, own]);
    for (const name of ["other", "own"]) expect(order.indexOf(name)).toBeLessThan(10);
  });
});

import { expect, test } from "bun:test";
import { freshDatabases, onEachEngine } from "../../tests/kit/sql-databases.ts";
import type { Tx } from "./sql/port.ts";
import { createTxBus } from "./tx-bus.ts";

type Events = { "thing.made": { id: string }; "thing.lost": { id: string } };

test("every listener hears every event in the emitter's transaction, one after another", async () => {
  const bus = createTxBus<Events, string, object>();
  const heard: string[] = [];
  const listen = (who: string) =>
    bus.onEmit(async (tx, name, data) => {
      heard.push(`${who} begins`);
      await Promise.resolve();
      heard.push(`${who} ${tx} ${name} ${JSON.stringify(data)}`);
    });
  listen("a");
  const stop = listen("b");
  await bus.emit("tx1", "thing.made", { id: "1" });
  expect(heard).toEqual(["a begins", 'a tx1 thing.made {"id":"1"}', "b begins", 'b tx1 thing.made {"id":"1"}']);
  heard.length = 0;
  stop();
  await bus.emit("tx2", "thing.lost", { id: "2" });
  expect(heard).toEqual(["a begins", 'a tx2 thing.lost {"id":"2"}']);
});

onEachEngine("an event and what is written of it", (engine) => {
  const databases = freshDatabases(engine);

  test("are on disk together or not at all, whoever of the two fails", async () => {
    const db = await databases.open();
    await db.tx((tx) => tx.script("CREATE TABLE things (id TEXT); CREATE TABLE lines (id TEXT);"));
    const bus = createTxBus<Events, Tx, object>();
    bus.onEmit(async (tx, name, data) => {
      await tx.run("INSERT INTO lines (id) VALUES (?)", [JSON.stringify(data)]);
      if (name === "thing.lost") throw new Error("the listener failed");
    });
    const make = (id: string, name: keyof Events, isBroken = false) =>
      db.tx(async (tx) => {
        await tx.run("INSERT INTO things (id) VALUES (?)", [id]);
        await bus.emit(tx, name, { id });
        if (isBroken) throw new Error("the emitter failed");
      });
    await make("1", "thing.made");
    const told = (error: unknown) => String(error);
    expect(await make("2", "thing.made", true).catch(told)).toBe("Error: the emitter failed");
    expect(await make("3", "thing.lost").catch(told)).toBe("Error: the listener failed");
    expect(await db.all("SELECT id FROM things")).toEqual([{ id: "1" }]);
    expect(await db.all("SELECT id FROM lines")).toEqual([{ id: '{"id":"1"}' }]);
  });
});

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createTestLog } from "../../tests/kit/test-log.ts";
import { createBus } from "./bus.ts";
import { createStore } from "./db/store.ts";

type Events = { "thing.made": { id: number }; "thing.gone": { id: number } };

function createTestBus() {
  const store = createStore(new Database(":memory:"));
  const { log, lines } = createTestLog();
  return { store, lines, bus: createBus<Events>(log, store.afterCommit) };
}

test("every subscriber gets its events in order, also when it takes its time", async () => {
  const { bus } = createTestBus();
  const slow: number[] = [];
  const all: string[] = [];
  bus.on("thing.made", async ({ id }) => {
    for (let turn = 0; turn < 5 - id; turn++) await Promise.resolve();
    slow.push(id);
  });
  bus.onAny((name, data) => void all.push(`${name}:${"id" in data ? data.id : "?"}`));
  bus.emit("thing.made", { id: 1 });
  bus.emit("thing.gone", { id: 2 });
  bus.emit("thing.made", { id: 3 });
  await bus.idle();
  expect(slow).toEqual([1, 3]);
  expect(all).toEqual(["thing.made:1", "thing.gone:2", "thing.made:3"]);
});

test("an event of a transaction waits for the commit and vanishes with a rollback", async () => {
  const { bus, store } = createTestBus();
  const seen: number[] = [];
  bus.on("thing.made", ({ id }) => void seen.push(id));
  store.tx(() => {
    bus.emit("thing.made", { id: 1 });
    expect(seen).toEqual([]);
  });
  expect(() =>
    store.tx(() => {
      bus.emit("thing.made", { id: 2 });
      throw new Error("rolled back");
    }),
  ).toThrow();
  await bus.idle();
  expect(seen).toEqual([1]);
});

test("who listens inside the transaction writes with it or not at all", () => {
  const { bus, store, lines } = createTestBus();
  store.raw.run("CREATE TABLE notes (id INTEGER) STRICT");
  const notes = () => store.raw.query("SELECT id FROM notes").values().flat();
  const end = bus.onEmit((name, data) => {
    store.tx(() => {
      store.raw.query("INSERT INTO notes VALUES (?)").run("id" in data ? Number(data.id) : null);
      if (name === "thing.gone") throw new Error("no room");
    });
  });
  bus.emit("thing.made", { id: 1 });
  store.tx(() => {
    bus.emit("thing.made", { id: 2 });
    expect(notes()).toEqual([1, 2]);
    bus.emit("thing.gone", { id: 3 });
  });
  expect(notes()).toEqual([1, 2]);
  expect(lines.map(({ msg, event }) => [msg, event])).toEqual([["event subscriber failed", "thing.gone"]]);
  expect(() =>
    store.tx(() => {
      bus.emit("thing.made", { id: 4 });
      throw new Error("rolled back");
    }),
  ).toThrow("rolled back");
  end();
  bus.emit("thing.made", { id: 5 });
  expect(notes()).toEqual([1, 2]);
});

test("a subscriber that throws is logged and hurts neither the others nor its own next event", async () => {
  const { bus, lines } = createTestBus();
  const seen: number[] = [];
  bus.on("thing.made", ({ id }) => {
    if (id === 1) throw new Error("sync");
    seen.push(id);
  });
  bus.on("thing.made", async () => {
    throw new Error("async");
  });
  bus.on("thing.made", ({ id }) => void seen.push(id * 10));
  bus.emit("thing.made", { id: 1 });
  bus.emit("thing.made", { id: 2 });
  await bus.idle();
  expect(seen.toSorted((a, b) => a - b)).toEqual([2, 10, 20]);
  expect(lines.map(({ msg, event }) => [msg, event])).toEqual(
    Array.from({ length: 3 }, () => ["event subscriber failed", "thing.made"]),
  );
});

test("idle also waits for what handlers emit; the caller of emit never waits", async () => {
  const { bus } = createTestBus();
  const seen: string[] = [];
  bus.on("thing.made", async ({ id }) => {
    await Promise.resolve();
    bus.emit("thing.gone", { id });
  });
  bus.on("thing.gone", async () => {
    await Promise.resolve();
    seen.push("gone");
  });
  bus.emit("thing.made", { id: 1 });
  seen.push("emit returned");
  await bus.idle();
  expect(seen).toEqual(["emit returned", "gone"]);
});

test("a subscription ends when its end is called", async () => {
  const { bus } = createTestBus();
  const seen: number[] = [];
  const end = bus.on("thing.made", ({ id }) => void seen.push(id));
  bus.emit("thing.made", { id: 1 });
  await bus.idle();
  end();
  bus.emit("thing.made", { id: 2 });
  await bus.idle();
  expect(seen).toEqual([1]);
});

import { expect, test } from "bun:test";
import type { Wire } from "./engine-wire.ts";
import { shareLooks } from "./shared-looks.ts";

/** An engine whose lists count how often they were asked for, each answered when the test says so. */
function startEngine() {
  const waiting: (() => void)[] = [];
  let told: ((piece: Uint8Array) => void) | null = null;
  let looks = 0;
  const wire: Wire = {
    call: <T>(method: string) =>
      new Promise<T>((resolve) => {
        if (method !== "GET") return resolve(null as T);
        looks += 1;
        const answer = [looks] as T;
        waiting.push(() => resolve(answer));
      }),
    open: async () =>
      (async function* () {
        for (;;) yield await new Promise<Uint8Array>((resolve) => (told = resolve));
      })(),
  };
  return {
    wire: shareLooks(wire),
    looks: () => looks,
    answer: () => waiting.shift()?.(),
    say: () => told?.(Buffer.from("{}")),
  };
}

/** Lets everything go on that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("twenty who ask at once share one look at the engine", async () => {
  const engine = startEngine();
  const lists = Array.from({ length: 20 }, () =>
    engine.wire.call<number[]>("GET", "/containers/json", { query: { all: true } }),
  );
  const other = engine.wire.call("GET", "/containers/json", { query: { all: false } });
  await settle();
  expect(engine.looks()).toBe(2);
  engine.answer();
  engine.answer();
  expect(new Set(await Promise.all(lists)).size).toBe(1);
  await other;
  const again = engine.wire.call("GET", "/containers/json", { query: { all: true } });
  await settle();
  expect(engine.looks()).toBe(3);
  engine.answer();
  await again;
});

test.each(["own hand", "event"])(
  "nobody is answered what was true before a change by %s, and one look is under way",
  async (by) => {
    const engine = startEngine();
    const ask = () => engine.wire.call<number[]>("GET", "/images/json");
    const events = (await engine.wire.open("GET", "/events"))[Symbol.asyncIterator]();
    const change = async () => {
      if (by === "own hand") return engine.wire.call("DELETE", "/images/one");
      const next = events.next();
      await settle();
      engine.say();
      return next;
    };
    const first = ask();
    await settle();
    const later: Promise<number[]>[] = [];
    for (let round = 0; round < 3; round++) {
      await change();
      later.push(ask());
      await settle();
      expect(engine.looks()).toBe(1);
    }
    engine.answer();
    expect(await first).toEqual([1]);
    await settle();
    engine.answer();
    expect(await Promise.all(later)).toEqual([[2], [2], [2]]);
  },
);

test("a look that failed keeps nobody from the next", async () => {
  let fails = true;
  const wire = shareLooks({
    call: async () => {
      if (fails) throw new Error("away");
      return [] as never;
    },
    open: async () => (async function* () {})(),
  });
  expect(wire.call("GET", "/networks")).rejects.toThrow("away");
  await settle();
  fails = false;
  expect(await wire.call<unknown[]>("GET", "/networks")).toEqual([]);
});

import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { createCached } from "./cached.ts";

test("a value is kept for its time and then loaded anew", async () => {
  const clock = createFakeClock();
  let loads = 0;
  const cached = createCached(clock, 1_000, () => ++loads);
  expect([await cached.get(), await cached.get()]).toEqual([1, 1]);
  await clock.advance(999);
  expect(await cached.get()).toBe(1);
  await clock.advance(1);
  expect(await cached.get()).toBe(2);
});

test("callers at once share one load", async () => {
  const gate = Promise.withResolvers<string>();
  let loads = 0;
  const cached = createCached(createFakeClock(), 1_000, () => {
    loads++;
    return gate.promise;
  });
  const both = Promise.all([cached.get(), cached.get()]);
  gate.resolve("value");
  expect(await both).toEqual(["value", "value"]);
  expect(loads).toBe(1);
});

test("a failed load is told and not kept", async () => {
  let loads = 0;
  const cached = createCached(createFakeClock(), 1_000, () => {
    loads++;
    if (loads === 1) throw new Error("first");
    return loads;
  });
  await expect(cached.get()).rejects.toThrow("first");
  expect(await cached.get()).toBe(2);
});

test("clearing also drops what is still being loaded", async () => {
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let loads = 0;
  const cached = createCached(createFakeClock(), 1_000, () => gates[loads++]?.promise ?? "none");
  const old = cached.get();
  cached.clear();
  const fresh = cached.get();
  gates[1]?.resolve("new");
  gates[0]?.resolve("old");
  expect([await old, await fresh, await cached.get()]).toEqual(["old", "new", "new"]);
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { createExpiringMap } from "./expiring-map.ts";

test("a value lives exactly as long as it was given, whatever wall time does", async () => {
  const clock = createFakeClock();
  const map = createExpiringMap<string>(clock, 10);
  map.set("a", "value", 1000);
  await clock.advance(999);
  clock.jump(86_400_000);
  expect(map.get("a")).toBe("value");
  await clock.advance(1);
  expect([map.get("a"), map.values()]).toEqual([null, []]);
});

test("of several takers one gets it", () => {
  const map = createExpiringMap<string>(createFakeClock(), 10);
  map.set("a", "value", 1000);
  expect([map.take("a"), map.take("a"), map.get("a")]).toEqual(["value", null, null]);
});

test("it behaves like a list of entries with an end, of which the newest are kept", async () => {
  const keys = fc.constantFrom("a", "b", "c", "d", "e");
  const step = fc.oneof(
    fc.record({ do: fc.constant("set" as const), key: keys, ttl: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ do: fc.constant("take" as const), key: keys }),
    fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 30 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = createFakeClock();
      const map = createExpiringMap<number>(clock, 100);
      let model: { key: string; value: number; end: number }[] = [];
      for (const [index, action] of steps.entries()) {
        if (action.do === "wait") await clock.advance(action.ms);
        model = model.filter(({ end }) => end > clock.monotonic());
        if (action.do === "set") {
          map.set(action.key, index, action.ttl);
          model = [
            ...model.filter(({ key }) => key !== action.key),
            { key: action.key, value: index, end: clock.monotonic() + action.ttl },
          ];
        }
        if (action.do === "take") {
          expect(map.take(action.key)).toBe(model.find(({ key }) => key === action.key)?.value ?? null);
          model = model.filter(({ key }) => key !== action.key);
        }
        expect(map.values()).toEqual(model.map(({ value }) => value));
      }
    }),
  );
});

test("the oldest give way when it is full", () => {
  const map = createExpiringMap<number>(createFakeClock(), 3);
  for (let i = 0; i < 5; i++) map.set(`k${i}`, i, 1000);
  expect(map.values()).toEqual([2, 3, 4]);
  // Setting a key anew makes it the newest.
  map.set("k2", 7, 1000);
  map.set("k5", 5, 1000);
  expect(map.values()).toEqual([4, 7, 5]);
});

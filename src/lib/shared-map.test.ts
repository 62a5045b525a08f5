import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { createSharedMap } from "./shared-map.ts";

test("a value lives exactly as long as it was given, whatever wall time does, and one taker gets it", async () => {
  const clock = createFakeClock();
  const map = createSharedMap<string>(clock, { size: 10, ttlMs: 1000 });
  map.set("a", "value", ["p", "n"]);
  await clock.advance(999);
  clock.jump(86_400_000);
  expect(map.get("a")).toBe("value");
  map.set("b", "other", ["p", "n"]);
  await clock.advance(1);
  expect([map.get("a"), map.take("a"), map.take("b"), map.take("b")]).toEqual([null, null, "other", null]);
});

test("who has less than the part that has most loses nothing, whoever fills it from however many networks", () => {
  const owner = fc.tuple(fc.constantFrom("p", "q", "r"), fc.integer({ min: 0, max: 5 }).map(String));
  fc.assert(
    fc.property(fc.array(owner, { maxLength: 60 }), (owners) => {
      const map = createSharedMap<number>(createFakeClock(), { size: 12, ttlMs: 1000 });
      const held: { key: string; provider: string }[] = [];
      for (const [index, path] of owners.entries()) {
        const key = String(index);
        map.set(key, index, path);
        held.push({ key, provider: path[0] });
        const gone = held.filter((one) => map.get(one.key) === null);
        expect(gone.length).toBe(held.length > 12 ? 1 : 0);
        const countOf = (name: string) => held.filter(({ provider }) => provider === name).length;
        for (const one of gone) {
          // With what it lost, and without what just came.
          const has = countOf(one.provider) - Number(one.provider === path[0]);
          for (const other of ["p", "q", "r"])
            expect(has).toBeGreaterThanOrEqual(countOf(other) - Number(other === path[0]));
          held.splice(held.indexOf(one), 1);
        }
      }
    }),
  );
});

test("a stranger with all networks of a site pushes nobody else out, and nobody of the same provider either", () => {
  const map = createSharedMap<string>(createFakeClock(), { size: 100, ttlMs: 1000 });
  map.set("near", "one", ["provider", "home", "home 1"]);
  map.set("far", "two", ["other", "office", "office 1"]);
  for (let no = 0; no < 5_000; no++) map.set(`s${no}`, "start", ["provider", "site", `site ${no}`]);
  map.set("late", "three", ["provider", "home", "home 2"]);
  expect([map.get("near"), map.get("far"), map.get("late")]).toEqual(["one", "two", "three"]);
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../tests/kit/runs.ts";
import { createPiles } from "./piles.ts";

const part = fc.constantFrom("a", "b", "c");
const path = fc.tuple(part, part, part);

test("who makes room has as many as anybody beside them, at every level, and it is their newest", () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 20, maxLength: 80 }), fc.integer({ min: 1, max: 30 }), (paths, most) => {
      const piles = createPiles<number>();
      const all = new Map<number, { path: readonly string[]; takeAway(): void }>();
      const countOf = (start: readonly string[]) =>
        all
          .values()
          .filter((one) => start.every((name, depth) => one.path[depth] === name))
          .toArray().length;
      for (const [no, asked] of paths.entries()) {
        all.set(no, { path: asked, takeAway: piles.add(asked, no) });
        if (piles.count([]) <= most) continue;
        const gone = piles.newestOfMost(asked);
        const lost = all.get(gone ?? -1);
        if (!lost) throw new Error("nobody made room");
        for (const depth of [0, 1, 2]) {
          const above = lost.path.slice(0, depth);
          const own = countOf(lost.path.slice(0, depth + 1));
          for (const other of ["a", "b", "c"]) {
            const has = countOf([...above, other]);
            expect(has).toBeLessThanOrEqual(own);
            // Where several have as many, nobody else loses for the one that comes.
            if (has === own && asked.slice(0, depth + 1).join() === [...above, other].join())
              expect(lost.path[depth]).toBe(other);
          }
        }
        const newest = [...all].findLast(([, one]) => one.path.join() === lost.path.join());
        expect(newest?.[0]).toBe(gone);
        lost.takeAway();
        lost.takeAway();
        all.delete(gone ?? -1);
        expect(piles.count([])).toBe(all.size);
        expect(piles.count(asked.slice(0, 2))).toBe(countOf(asked.slice(0, 2)));
      }
      for (const { takeAway } of all.values()) takeAway();
      expect(piles.count([])).toBe(0);
      expect(piles.newestOfMost(["a", "b", "c"])).toBeUndefined();
    }),
    { numRuns: runs(50) },
  );
});

test("the oldest of who has more than the one that comes would have is looked for from the widest part on", () => {
  const piles = createPiles<string>();
  for (const [one, at] of Object.entries({ a: "p/s", b: "p/s", c: "p/t", d: "q/u" })) piles.add(at.split("/"), one);
  expect(piles.oldestOfMore(["new", "own"])).toBe("a");
  // Of its own provider the largest site, where no other provider has more.
  expect(piles.oldestOfMore(["p", "new"])).toBe("a");
  expect(piles.oldestOfMore(["p", "t"])).toBeUndefined();
  expect(piles.oldestOfMore(["q", "u"])).toBe("a");
  expect(piles.oldestOfMost()).toBe("a");
  expect([["q"], ["r", "v"], []].map((path) => piles.oldestOfEachMost(path))).toEqual([["d"], [], ["a"]]);
  piles.add(["q", "u"], "e");
  piles.add(["q", "w"], "f");
  expect(piles.oldestOfEachMost([])).toEqual(["a", "d"]);
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRanks } from "./ranks.ts";

const text = fc.option(fc.string({ maxLength: 3 }), { nil: null });
const lower = (value: string) => value.toLowerCase();

test("whatever comes and goes, ranks sort as the texts do", () => {
  const steps = fc.array(fc.array(text, { maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(steps, (all) => {
      const ranks = createRanks(lower);
      for (const texts of all) {
        const given = ranks.ofAll(texts);
        for (const [a, first] of texts.entries()) {
          expect(Number.isNaN(given[a])).toBe(first === null);
          for (const [b, second] of texts.entries()) {
            if (first === null || second === null) continue;
            const expected = lower(first) < lower(second) ? -1 : Number(lower(first) > lower(second));
            expect(Math.sign((given[a] ?? 0) - (given[b] ?? 0))).toBe(expected);
          }
        }
      }
    }),
  );
});

test("many texts at the same place run out of room, and are ranked anew", () => {
  const ranks = createRanks(lower);
  ranks.ofAll(["a", "b"]);
  const texts = Array.from({ length: 100 }, (_, index) => `a${"a".repeat(100 - index)}`);
  const given = texts.map(ranks.ofOne);
  expect(given).toContain(null);
  const anew = ranks.ofAll(texts);
  expect([...anew]).toEqual([...anew].toSorted((x, y) => y - x));
});

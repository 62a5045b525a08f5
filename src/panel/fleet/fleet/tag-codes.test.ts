import { expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { createTagCodes } from "./tag-codes.ts";

const TAGS = ["prod", "Prod", "lab", "LAB", "edge", "İ"];
const small = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ at: fc.nat(8), tags: fc.subarray(TAGS) }) },
  { weight: 1, arbitrary: fc.constant("pop" as const) },
);

test("each node has the tags that it was given last, in any case of letters, and no more numbers are in use than tags there ever were at once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const tags = createTagCodes();
      const model: string[][] = [];
      for (const one of steps) {
        const before = tags.codes.slice();
        const copies = before.map((codes) => [...codes]);
        if (one === "pop") {
          model.pop();
          tags.pop();
        } else {
          const at = Math.min(one.at, model.length);
          model[at] = small(one.tags);
          tags.put(at, one.tags);
        }
        // Whoever took the lists before goes on with what they were.
        expect(before.map((codes) => [...codes])).toEqual(copies);
        for (const tag of TAGS) {
          const code = tags.find(tag);
          const holders = tags.codes.flatMap((codes, at) => (code !== null && codes.includes(code) ? [at] : []));
          const wanted = model.flatMap((names, at) => (names.includes(tag.toLowerCase()) ? [at] : []));
          expect(holders).toEqual(wanted);
          expect(code === null).toBe(wanted.length === 0);
        }
        expect(tags.codes.map(({ length }) => length)).toEqual(model.map(({ length }) => length));
        expect(tags.size()).toBeLessThanOrEqual(2 * small(TAGS).length);
      }
    }),
    { numRuns: runs(60) },
  );
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { joinFrom, MOST_PIECES } from "./join-pieces.ts";

/** Adds up pieces as they come; says what was written for that, and how many pieces there were at most. */
function follow(coming: readonly number[]): { bytes: number; written: number; most: number } {
  let pieces: number[] = [];
  let [bytes, written, most] = [0, 0, 0];
  for (const more of coming) {
    const from = joinFrom(pieces, more);
    const joined = pieces.slice(from).reduce((sum, size) => sum + size, more);
    pieces = [...pieces.slice(0, from), joined];
    bytes += more;
    written += joined;
    most = Math.max(most, pieces.length);
  }
  return { bytes, written, most };
}

test("whatever comes, few pieces are left, and a byte is written anew only as what it lies in doubles", () => {
  const size = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100_000 }));
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 600 }), (coming) => {
      const { bytes, written, most } = follow(coming);
      expect(most).toBeLessThanOrEqual(MOST_PIECES);
      expect(written).toBeLessThanOrEqual(bytes * (2 + Math.log2(bytes)));
    }),
    { numRuns: runs(100) },
  );
});

test("a byte at a time costs a few bytes each, and none of what lies there already", () => {
  const { written, most } = follow([6_000_000, ...new Array<number>(100_000).fill(1)]);
  expect(written).toBeLessThan(6_000_000 + 17 * 100_000);
  expect(most).toBe(MOST_PIECES);
});

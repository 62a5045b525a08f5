import { expect, test } from "bun:test";
import fc from "fast-check";
import { sortRange } from "./smallest.ts";

const key = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true }), fc.constant(Number.POSITIVE_INFINITY));

test("any page of any list is that of the sorted list, and nothing is lost", () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.nat(210), fc.nat(60), (values, from, size) => {
      const keys = Float64Array.from(values);
      const ties = Float64Array.from(values, (_, index) => (index * 7919) % 1_009);
      const positions = Uint32Array.from(values.keys());
      const sorted = [...positions].sort((a, b) => {
        const [first = 0, second = 0] = [keys[a], keys[b]];
        return first === second ? (ties[a] ?? 0) - (ties[b] ?? 0) : first < second ? -1 : 1;
      });
      sortRange(positions, keys, ties, from, from + size);
      expect([...positions.subarray(from, from + size)]).toEqual(sorted.slice(from, from + size));
      expect([...positions].sort((a, b) => a - b)).toEqual([...values.keys()]);
    }),
    { numRuns: 500 },
  );
});

test("sorted, reversed and equal lists are as quick as others", () => {
  const size = 100_000;
  for (const keyOf of [(index: number) => index, (index: number) => -index, () => 1]) {
    const keys = Float64Array.from({ length: size }, (_, index) => keyOf(index));
    const ties = Float64Array.from({ length: size }, (_, index) => index);
    const positions = Uint32Array.from(ties);
    const began = Bun.nanoseconds();
    sortRange(positions, keys, ties, 50_000, 50_050);
    expect(Bun.nanoseconds() - began).toBeLessThan(500e6);
  }
});

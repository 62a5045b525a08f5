import { expect, test } from "bun:test";
import fc from "fast-check";
import { pagesWith, reveal, windowOf } from "./window.ts";

const scrolled = fc.record({
  top: fc.integer({ min: -2000, max: 4_000_000 }),
  height: fc.integer({ min: 0, max: 3000 }),
  rowHeight: fc.integer({ min: 20, max: 80 }),
  total: fc.integer({ min: 0, max: 100_000 }),
});

test("every row that can be seen is drawn, and the list keeps its height", () => {
  fc.assert(
    fc.property(scrolled, (at) => {
      const { first, end, above, below } = windowOf(at);
      expect(above + (end - first) * at.rowHeight + below).toBe(at.total * at.rowHeight);
      const seen = (row: number): boolean =>
        (row + 1) * at.rowHeight > at.top && row * at.rowHeight < at.top + at.height;
      for (const row of [first - 1, end]) if (row >= 0 && row < at.total) expect(seen(row)).toBe(false);
    }),
  );
});

test("the number of drawn rows does not depend on the place or the length", () => {
  const count = (top: number, total: number): number => {
    const { first, end } = windowOf({ top, height: 800, rowHeight: 32, total });
    return end - first;
  };
  const counts = [0, 5000, 123_456, 319_999].map((top) => count(top, 10_000));
  expect(new Set(counts).size).toBe(1);
  expect(count(50_000, 100_000)).toBe(counts[0] ?? 0);
  expect(counts[0]).toBeLessThan(60);
});

test("scrolling by less than a step moves no row", () => {
  const at = { height: 800, rowHeight: 32, total: 10_000 };
  expect(windowOf({ ...at, top: 128_000 })).toEqual(windowOf({ ...at, top: 128_000 + 127 }));
});

test("a row is scrolled into sight by the shortest way", () => {
  fc.assert(
    fc.property(scrolled, fc.nat(99_999), fc.integer({ min: 0, max: 100 }), (at, row, head) => {
      fc.pre(at.height >= at.rowHeight + head);
      const after = { ...at, top: at.top + reveal(row, at, head) };
      expect(reveal(row, after, head)).toBe(0);
    }),
  );
});

test("pages of a range", () => {
  expect(pagesWith(0, 200, 200)).toEqual([0]);
  expect(pagesWith(199, 201, 200)).toEqual([0, 1]);
  expect(pagesWith(9_990, 10_000, 200)).toEqual([49]);
  expect(pagesWith(5, 5, 200)).toEqual([]);
});

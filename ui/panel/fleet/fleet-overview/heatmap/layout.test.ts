import { expect, test } from "bun:test";
import fc from "fast-check";
import { blockLimit, blocksOf, cellAfterKey, cornerOf, gridFor, heightOf, placeAt, stepOf, steps } from "./layout.ts";

const counts = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 6 });
const widths = fc.integer({ min: 200, max: 2400 });
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

test("the blocks hold every cell once, in order, each small enough and beginning with a full row", () => {
  fc.assert(
    fc.property(counts, widths, (list, width) => {
      const { columns } = gridFor(sum(list), width);
      const blocks = blocksOf(list, columns);
      let next = 0;
      for (const block of blocks) {
        expect(block.start).toBe(next);
        expect(block.from % columns).toBe(0);
        expect(block.count).toBeLessThanOrEqual(Math.max(blockLimit, columns));
        next += block.count;
      }
      expect(next).toBe(sum(list));
    }),
  );
});

test("a point inside a cell finds it, and no cell stands outside the width", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), widths, fc.nat(), (count, width, seed) => {
      const grid = gridFor(count, width);
      const place = seed % count;
      const { x, y } = cornerOf(place, grid);
      expect(placeAt(x + grid.cell / 2, y + grid.cell / 2, count, grid)).toBe(place);
      expect(x + grid.cell).toBeLessThanOrEqual(width);
      expect(y + grid.cell).toBeLessThanOrEqual(heightOf(count, grid));
      expect(placeAt(-1, 0, count, grid)).toBeNull();
      expect(placeAt(0, heightOf(count, grid) + grid.gap, count, grid)).toBeNull();
    }),
  );
});

test("keys stay inside, and down then up comes back where the rows are long enough", () => {
  fc.assert(
    fc.property(counts, widths, fc.nat(), (list, width, seed) => {
      const total = sum(list);
      fc.pre(total > 0 && total < 20_000);
      const { columns } = gridFor(total, width);
      const at = seed % total;
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]) {
        const to = cellAfterKey(key, at, list, columns) ?? -1;
        expect(to).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThan(total);
      }
      const down = cellAfterKey("ArrowDown", at, list, columns) ?? 0;
      expect(down).toBeGreaterThanOrEqual(at);
      if (down - at === columns) expect(cellAfterKey("ArrowUp", down, list, columns)).toBe(at);
    }),
    { numRuns: 60 },
  );
});

test("up and down cross from one region into the next at the same column", () => {
  expect(cellAfterKey("ArrowDown", 3, [4, 10], 10)).toBe(7);
  expect(cellAfterKey("ArrowUp", 9, [4, 10], 10)).toBe(3);
  expect(cellAfterKey("x", 3, [4, 10], 10)).toBeNull();
});

test("ten thousand cells fit on a few screens", () => {
  const grid = gridFor(10_000, 1100);
  expect(heightOf(10_000, grid)).toBeLessThan(900);
});

test("steps begin where they say", () => {
  expect(stepOf(null)).toBe(-1);
  expect(stepOf(Number.NaN)).toBe(-1);
  expect(stepOf(0)).toBe(0);
  expect(stepOf(89.99)).toBe(steps.length - 2);
  expect(stepOf(90)).toBe(steps.length - 1);
  expect(stepOf(100)).toBe(steps.length - 1);
});

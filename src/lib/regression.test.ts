import { expect, test } from "bun:test";
import fc from "fast-check";
import { leastSquares, theilSenSlope } from "./regression.ts";

const coefficient = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 10);

test("both find the slope of a straight line", () => {
  fc.assert(
    fc.property(coefficient, coefficient, fc.integer({ min: 2, max: 40 }), (slope, intercept, count) => {
      const points = Array.from({ length: count }, (_, x) => ({ x, y: intercept + slope * x }));
      const line = leastSquares(points);
      expect(line?.slope).toBeCloseTo(slope, 6);
      expect(line?.intercept).toBeCloseTo(intercept, 6);
      expect(line?.r_squared).toBeCloseTo(slope === 0 ? 0 : 1, 6);
      expect(theilSenSlope(points)).toBeCloseTo(slope, 6);
    }),
  );
});

test("a known fit", () => {
  const line = leastSquares([
    { x: 1, y: 1 },
    { x: 2, y: 3 },
    { x: 3, y: 2 },
    { x: 4, y: 5 },
  ]);
  expect(line?.slope).toBeCloseTo(1.1, 10);
  expect(line?.intercept).toBeCloseTo(0, 10);
  expect(line?.r_squared).toBeCloseTo(0.6914, 4);
});

test("one wild value bends least squares, not the median of slopes", () => {
  const points = Array.from({ length: 20 }, (_, x) => ({ x, y: x === 19 ? 1000 : x }));
  expect(leastSquares(points)?.slope).toBeGreaterThan(5);
  expect(theilSenSlope(points)).toBeCloseTo(1, 6);
});

test("points without an extent have no line", () => {
  expect(leastSquares([])).toBeNull();
  expect(leastSquares([{ x: 1, y: 1 }])).toBeNull();
  expect(
    theilSenSlope([
      { x: 1, y: 1 },
      { x: 1, y: 9 },
    ]),
  ).toBeNaN();
});

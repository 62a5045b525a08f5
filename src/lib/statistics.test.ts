import { expect, test } from "bun:test";
import fc from "fast-check";
import { mean, median, quantile, robustDeviation } from "./statistics.ts";

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });

test("median, quantile and mean of known values", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2);
  expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
  expect(quantile([1, 2, 3, 4], 0)).toBe(1);
  expect(mean([1, 2, 6])).toBe(3);
});

test("nothing gives NaN, never a number", () => {
  expect([median([]), quantile([], 0.5), mean([]), robustDeviation([])]).toEqual([NaN, NaN, NaN, NaN]);
});

test("half of the values lie on either side of the median", () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const middle = median(values);
      expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2);
      expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});

test("a quantile is one of the values and grows with its share", () => {
  fc.assert(
    fc.property(
      numbers,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, a, b) => {
        expect(values).toContain(quantile(values, a));
        expect(quantile(values, Math.min(a, b))).toBeLessThanOrEqual(quantile(values, Math.max(a, b)));
      },
    ),
  );
});

test("the robust deviation is that of the normal distribution, and one wild value does not move it", () => {
  // Quantiles of the normal distribution with mean 10 and deviation 2.
  const normal = [-1.645, -1.036, -0.674, -0.385, -0.126, 0.126, 0.385, 0.674, 1.036, 1.645].map((z) => 10 + 2 * z);
  expect(robustDeviation(normal)).toBeCloseTo(2, 0);
  const wild = [...normal.slice(0, 9), 1e9];
  expect(Math.abs(robustDeviation(wild) - robustDeviation(normal))).toBeLessThan(0.7);
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import { percentOf, ratePerSecond } from "./rate.ts";

test("units per second", () => {
  expect(ratePerSecond(100, 350, 500)).toBe(500);
});

test("no earlier reading, a reset and no time passed give 0", () => {
  expect([ratePerSecond(undefined, 5, 1000), ratePerSecond(9, 5, 1000), ratePerSecond(1, 5, 0)]).toEqual([0, 0, 0]);
});

test("a rate is never negative and always finite", () => {
  const count = fc.maxSafeNat();
  fc.assert(
    fc.property(fc.option(count, { nil: undefined }), count, fc.integer({ min: -10, max: 100_000 }), (from, to, ms) => {
      const rate = ratePerSecond(from, to, ms);
      return rate >= 0 && Number.isFinite(rate);
    }),
  );
});

test("percent has one decimal, stays within bounds and takes nothing for 0", () => {
  expect([percentOf(1, 3), percentOf(5, 4), percentOf(-1, 4), percentOf(1, 0)]).toEqual([33.3, 100, 0, 0]);
});

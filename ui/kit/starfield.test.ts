import { expect, test } from "bun:test";
import { createSlowGuard, makeStars, starAt } from "./starfield.ts";

test("the sky is the same for every visit and stays in the window", () => {
  const stars = makeStars(140);
  expect(makeStars(140)).toEqual(stars);
  for (const star of stars) {
    for (const seconds of [0, 1.5, 3_600, 86_400 * 30]) {
      const { x, y, light } = starAt(star, seconds);
      expect(x >= 0 && x < 1 && y >= 0 && y < 1 && light >= 0.149 && light <= 0.851).toBe(true);
    }
  }
});

test("stars move to the left, near ones faster", () => {
  const [far, near] = makeStars(140)
    .toSorted((a, b) => a.size - b.size)
    .filter((_, index) => index % 139 === 0);
  if (!far || !near) throw new Error("no stars");
  const moved = (star: typeof far) => (star.x - starAt(star, 1).x + 1) % 1;
  expect(moved(far)).toBeGreaterThan(0);
  expect(moved(near)).toBeGreaterThan(moved(far));
});

test("two slow frames in a row end it, single ones do not", () => {
  const isTooSlow = createSlowGuard();
  expect([3, 1, 3, 1, 2].map(isTooSlow)).toEqual([false, false, false, false, false]);
  expect([2.1, 2.1].map(isTooSlow)).toEqual([false, true]);
});

import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { doPart } from "./part.ts";

const NUMBERS = [1, 2, 3, 4, 5, 6, 7];

/** How many are done in each part when each takes so long. */
async function partsOf(took: number, most: number, ms: number): Promise<number[]> {
  const clock = createFakeClock();
  const done: number[] = [];
  const parts: number[] = [];
  for (let left: readonly number[] = NUMBERS; left.length > 0; ) {
    const before = done.length;
    left = await doPart(clock, { most, ms }, left, async (item) => {
      await clock.advance(took);
      done.push(item);
    });
    parts.push(done.length - before);
  }
  expect(done).toEqual(NUMBERS);
  return parts;
}

test("a part ends by number, by time, and never before the first", async () => {
  expect(await partsOf(0, 3, 10)).toEqual([3, 3, 1]);
  expect(await partsOf(4, 100, 10)).toEqual([3, 3, 1]);
  expect(await partsOf(50, 100, 10)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(await partsOf(1, 100, 10)).toEqual([7]);
});

test("nothing is left of nothing, and what breaks off is told", async () => {
  const clock = createFakeClock();
  expect(await doPart(clock, { most: 2, ms: 10 }, [], async () => {})).toEqual([]);
  const broken = doPart(clock, { most: 2, ms: 10 }, NUMBERS, () => Promise.reject(new Error("no")));
  await expect(broken).rejects.toThrow("no");
});

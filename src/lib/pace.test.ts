import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { runs } from "../../tests/kit/runs.ts";
import { createPace, createTimedPace, sortAtPace } from "./pace.ts";

test("others go whenever so much was done, and nobody waits before that", async () => {
  let turns = 0;
  const pace = createPace(async () => void turns++, 10);
  for (let piece = 0; piece < 9; piece++) expect(pace()).toBeUndefined();
  await pace();
  expect([turns, pace(9)]).toEqual([1, undefined]);
  await pace(25);
  expect([turns, pace(9)]).toEqual([2, undefined]);
});

test("others go once work has lasted for some milliseconds, which count anew when they have gone", async () => {
  const clock = createFakeClock();
  let turns = 0;
  const pace = createTimedPace(clock, async () => {
    turns += 1;
    await clock.advance(500);
  });
  await clock.advance(3);
  expect(pace()).toBeUndefined();
  await clock.advance(1);
  await pace();
  expect([turns, pace()]).toEqual([1, undefined]);
  await clock.advance(4);
  await pace();
  expect(turns).toBe(2);
});

test("what is sorted in parts is as if it were sorted at once, those that are equal in the order in which they came", async () => {
  const items = fc.array(fc.record({ key: fc.nat(5), no: fc.nat() }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 9 }), async (all, run) => {
      let turns = 0;
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
      const sorted = await sortAtPace(
        all,
        compare,
        createPace(async () => void turns++, run),
        run,
      );
      expect(sorted).toEqual(all.toSorted(compare));
      expect(turns).toBeGreaterThanOrEqual(Math.floor(all.length / run));
    }),
    { numRuns: runs(60) },
  );
});

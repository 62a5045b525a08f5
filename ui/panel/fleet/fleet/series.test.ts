import { expect, test } from "bun:test";
import fc from "fast-check";
import { linesOf } from "./series.ts";

test("lists of different times share one axis", () => {
  expect(
    linesOf([
      [
        [0, 1],
        [10, 2],
        [20, 3],
      ],
      [[10, 7]],
    ]),
  ).toEqual({
    times: [0, 10, 20],
    values: [
      [1, 2, 3],
      [null, 7, null],
    ],
  });
});

test("a time without figures is a gap", () => {
  const { times, values } = linesOf([
    [
      [0, 1],
      [10, 2],
      [20, 3],
      [90, 4],
    ],
  ]);
  expect(times).toEqual([0, 10, 20, 30, 90]);
  expect(values[0]).toEqual([1, 2, 3, null, 4]);
});

test("one late point is no gap", () => {
  expect(
    linesOf(
      [
        [
          [0, 1],
          [24, 2],
        ],
      ],
      10,
    ).times,
  ).toEqual([0, 24]);
});

test("every value is kept, at its time, on an ascending axis", () => {
  const list = fc.uniqueArray(fc.tuple(fc.nat(5000), fc.nat(100)), { selector: ([time]) => time, maxLength: 50 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
      const { times, values } = linesOf(lists);
      for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(times[index - 1] ?? -1);
      for (const [index, one] of lists.entries())
        for (const [time, value] of one) expect(values[index]?.[times.indexOf(time)]).toBe(value);
    }),
  );
});

import { expect, test } from "bun:test";
import { fromFirst, hasValues } from "./app-history.ts";

const history = (cpu: (number | null)[]) => ({
  times: cpu.map((_, index) => index),
  cpu,
  memory: cpu,
  received: cpu,
  sent: cpu,
});

test("a chart begins with the first figure, and has some points at least", () => {
  expect(fromFirst(history([null, null, 1, null, 2]), 2)).toEqual({ ...history([1, null, 2]), times: [2, 3, 4] });
  expect(fromFirst(history([null, null, 3]), 2).times).toEqual([1, 2]);
  expect(fromFirst(history([null, null])).times).toEqual([0, 1]);
  expect(fromFirst(history([])).times).toEqual([]);
  expect(fromFirst(history([...Array(59).fill(null), 1])).times).toHaveLength(15);
});

test("nothing but gaps is nothing to draw", () => {
  expect([hasValues([]), hasValues([null]), hasValues([null, 0])]).toEqual([false, false, true]);
});

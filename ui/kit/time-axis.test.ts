import { expect, test } from "bun:test";
import { axisLabels, gapsOf, isDashed, lonePlaces, nearestPlace, tableRows, valueAt } from "./time-axis.ts";

const line = (...values: (number | null)[]) => ({ label: "x", values });

test("a gap is where no line has a value, between places where one has", () => {
  expect(gapsOf([line(null, 1, null, null, 2, null)], 6)).toEqual([[1, 4]]);
  expect(gapsOf([line(1, null, 2), line(null, 5, null)], 3)).toEqual([]);
  expect(gapsOf([line(null, null)], 2)).toEqual([]);
  expect(gapsOf([], 3)).toEqual([]);
});

test("a value alone between gaps is a dot", () => {
  expect(lonePlaces([1, null, 2, null, 3, 4, null, 5])).toEqual([0, 2, 7]);
  expect(lonePlaces([undefined, 7])).toEqual([1]);
});

test("without a pointer the newest known value is shown, but not one from long ago", () => {
  expect(valueAt([1, 2, null], null)).toBe(2);
  expect(valueAt([1, 2, null], 2)).toBe(null);
  expect(valueAt([1, 2, null], 0)).toBe(1);
  expect(valueAt([7, null, null, null, null, null], null)).toBe(null);
  expect(valueAt([], null)).toBe(null);
});

test("a line of very many points is not dashed", () => {
  const dashed = { ...line(1), dash: true };
  expect([isDashed(dashed, 300), isDashed(dashed, 1440), isDashed(line(1), 3)]).toEqual([true, false, false]);
});

test("the nearest time is found, also outside and on a tie", () => {
  const times = [10, 20, 40];
  expect([-5, 10, 14, 15, 16, 29, 31, 99].map((at) => nearestPlace(times, at))).toEqual([0, 0, 0, 0, 1, 1, 2, 2]);
  expect(nearestPlace([], 5)).toBe(-1);
});

test("labels run from the first time to the last", () => {
  const day = 86_400_000;
  const times = Array.from({ length: 8 }, (_, index) => Date.UTC(2026, 0, 1, 12) + index * day);
  const labels = axisLabels(times, 8);
  expect(new Set(labels).size).toBe(8);
  expect(labels[0]).toContain("Jan");
  expect(axisLabels([], 5)).toEqual([]);
  expect(axisLabels(times.slice(0, 7), 5).map((label) => label.replace(/\D/g, ""))).toEqual(["1", "3", "5", "7"]);
});

test("a long chart becomes a table of means that leaves gaps out", () => {
  const times = Array.from({ length: 10 }, (_, index) => index);
  const rows = tableRows(times, [line(1, 3, null, 5, null, null, 7, 7, 9, 9)], 5);
  expect(rows.map(({ at, values }) => [at, values[0]])).toEqual([
    [0, 2],
    [2, 5],
    [4, null],
    [6, 7],
    [8, 9],
  ]);
  expect(tableRows(times, [line(...times)], 96)).toHaveLength(10);
});

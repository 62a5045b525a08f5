import { expect, test } from "bun:test";
import { type Kept, selectForgotten } from "./retention.ts";

const NONE = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
const day = (count: number): number => new Date(2026, 0, 1 + count, 3).getTime();
const daily = (count: number, items = ["settings"]): Kept[] =>
  Array.from({ length: count }, (_, index) => ({ id: `b${String(index).padStart(3, "0")}`, at: day(index), items }));
const left = (backups: Kept[], keep: Parameters<typeof selectForgotten>[1]): string[] => {
  const gone = selectForgotten(backups, keep);
  return backups.map(({ id }) => id).filter((id) => !gone.includes(id));
};

test("the last ones, and the newest of days, weeks and months stay", () => {
  const backups = daily(100);
  expect(left(backups, NONE)).toEqual(["b099"]);
  expect(left(backups, { ...NONE, last: 3 })).toEqual(["b097", "b098", "b099"]);
  expect(left(backups, { ...NONE, daily: 2 })).toEqual(["b098", "b099"]);
  // The first of January of 2026 is a Thursday, and the 99th day after it a Friday.
  expect(left(backups, { ...NONE, weekly: 3 })).toEqual(["b087", "b094", "b099"]);
  expect(left(backups, { ...NONE, monthly: 4 })).toEqual(["b030", "b058", "b089", "b099"]);
  expect(left(daily(2), { last: 5, hourly: 0, daily: 7, weekly: 4, monthly: 6 })).toEqual(["b000", "b001"]);
  expect(left([], NONE)).toEqual([]);
});

test("several of a day count as one day", () => {
  const backups = [0, 1, 2, 3].map((hour) => ({ id: `h${hour}`, at: day(0) + hour * 3_600_000, items: ["settings"] }));
  expect(left([...backups, { id: "next", at: day(1), items: ["settings"] }], { ...NONE, daily: 2 })).toEqual([
    "h3",
    "next",
  ]);
});

test("one with little in it takes the place of none with more; what is gone keeps its newest copy", () => {
  const all = daily(5, ["settings", "a", "b"]);
  const small = [6, 7, 8].map((count) => ({ id: `s${count}`, at: day(count), items: ["a"] }));
  expect(left([...all, ...small], NONE)).toEqual(["b004", "s8"]);
});

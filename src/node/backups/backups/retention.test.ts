import { expect, test } from "bun:test";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { type Kept, selectForgotten, selectProven } from "./retention.ts";

const NONE = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
const day = (count: number): number => new Date(2026, 0, 1 + count, 3).getTime();
const daily = (count: number, items = ["settings"]): Kept[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `b${String(index).padStart(3, "0")}`, at: day(index), items, half: [], isProven: false },
  }));
const PLAIN = { items: ["settings"], half: [], isProven: false };
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
  const backups = [0, 1, 2, 3].map((hour) => ({ id: `h${hour}`, at: day(0) + hour * 3_600_000 }));
  const all = [...backups, { id: "next", at: day(1) }].map((one) => ({ ...PLAIN, ...one }));
  expect(left(all, { ...NONE, daily: 2 })).toEqual(["h3", "next"]);
});

test("one with little in it takes the place of none with more; what is gone keeps its newest copy", () => {
  const all = daily(5, ["settings", "a", "b"]);
  const small = [6, 7, 8].map((count) => ({ ...PLAIN, id: `s${count}`, at: day(count), items: ["a"] }));
  expect(left([...all, ...small], NONE)).toEqual(["b004", "s8"]);
});

test("copies of an app that is half take the place of none that is whole; the newest stays until a whole one comes", () => {
  const whole = daily(7, ["settings", "a"]);
  const half = [7, 8, 9].map((count) => ({
    ...{ id: `h${count}`, at: day(count), items: ["a"], half: ["a"], isProven: false },
  }));
  const after = { id: "w", at: day(10), items: ["a"], half: [], isProven: false };
  expect(left([...whole, ...half], NONE)).toEqual(["b006", "h9"]);
  expect(left([...whole, ...half], { ...NONE, last: 3, daily: 4 })).toEqual(["b003", "b004", "b005", "b006", "h9"]);
  expect(left([...whole, ...half, after], NONE)).toEqual(["b006", "w"]);
  // Where no copy is whole, those that are there count.
  expect(left(half, { ...NONE, last: 2 })).toEqual(["h8", "h9"]);
});

test("what is proven of each app is the newest that was read back and has all of it", () => {
  const [first, second, third, fourth] = daily(4, ["settings", "a"]);
  if (!first || !second || !third || !fourth) throw new Error("there are four");
  const proven = (...backups: Kept[]) => [...selectProven(backups)].toSorted();
  const read = { isProven: true };
  expect(proven(first, second)).toEqual([]);
  expect(proven({ ...first, ...read }, second)).toEqual(["b000"]);
  expect(proven({ ...first, ...read }, { ...second, ...read })).toEqual(["b001"]);
  expect(proven({ ...first, ...read }, { ...second, ...read, half: ["a"] })).toEqual(["b000", "b001"]);
  expect(proven({ ...first, ...read }, third, { ...fourth, ...read, items: ["settings"] })).toEqual(["b000", "b003"]);
});

test("whatever comes, as many whole copies stay of each app as were asked for, and half ones change nothing about them", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = seeded(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const items = ["settings", "a", "b"];
    const backups = Array.from({ length: 1 + below(40) }, (_, index) => {
      const has = items.filter(() => random() < 0.7);
      const half = has.filter((item) => item !== "settings" && random() < 0.4);
      return {
        id: `b${String(index).padStart(3, "0")}`,
        at: day(0) + index * 7_000_000,
        items: has,
        half,
        isProven: false,
      };
    });
    const keep = { last: 1 + below(4), hourly: below(3), daily: below(3), weekly: below(2), monthly: below(2) };
    const stay = new Set(left(backups, keep));
    for (const item of items) {
      const having = backups.filter((one) => one.items.includes(item));
      const whole = having.filter((one) => !one.half.includes(item));
      const said = `${item} with seed ${seed}`;
      const newest = having.at(-1);
      if (newest) expect(stay.has(newest.id), said).toBe(true);
      // What would stay if the half ones had never been made.
      const alone = left(
        whole.map((one) => ({ ...one, items: [item], half: [] })),
        keep,
      );
      expect(
        alone.filter((id) => !stay.has(id)),
        said,
      ).toEqual([]);
    }
  }
});

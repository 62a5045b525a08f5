import { expect, test } from "bun:test";
import {
  fitColumns,
  listColumns,
  nextSort,
  seenText,
  silentFor,
  sortColumns,
  sortOf,
  sortText,
  usualColumns,
} from "./columns.ts";

test("a sort survives the address, an unknown one is by host", () => {
  for (const { id } of sortColumns)
    for (const falling of [true, false]) expect(sortOf(sortText({ by: id, falling }))).toEqual({ by: id, falling });
  for (const text of [null, "", "-", "colour", "--cpu"]) expect(sortOf(text)).toEqual({ by: "host", falling: false });
});

test("the first press on figures shows the highest, the second turns it round", () => {
  const cpu = sortColumns.find(({ id }) => id === "cpu");
  if (cpu === undefined) throw new Error("no column of that name");
  const first = nextSort({ by: "host", falling: false }, cpu);
  expect(first).toEqual({ by: "cpu", falling: true });
  expect(nextSort(first, cpu)).toEqual({ by: "cpu", falling: false });
});

test("how long ago takes few letters", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  const at = (seconds: number): string => seenText(new Date(now - seconds * 1000).toISOString(), now);
  expect([at(-5), at(59), at(94), at(1740), at(7200), at(86_400 * 12)]).toEqual([
    "now",
    "now",
    "94\u00a0s",
    "29\u00a0min",
    "2\u00a0h",
    "12\u00a0d",
  ]);
  expect(seenText(null, now)).toBe("–");
});

test("as many of the wanted columns as there is room for, the least telling ones go first", () => {
  const shown = (width: number, isPhone = false, wanted = usualColumns): string[] =>
    fitColumns(wanted, { width, isPhone }).shown.map(({ id }) => id);
  expect(shown(1300)).toEqual([...usualColumns]);
  expect(shown(358, true)).toEqual(["status", "cpu"]);
  expect(shown(358, true, ["mem", "disk"])).toEqual(["mem", "disk"]);
  expect(shown(358, true, ["status", "ip", "cpu"])).toEqual(["status"]);
  expect(shown(700, false, [...usualColumns, "ip"])).toContain("ip");
  expect(shown(100)).toEqual([]);
  const { shown: few, left } = fitColumns(usualColumns, { width: 800, isPhone: false });
  expect([...few, ...left].map(({ id }) => id).toSorted()).toEqual([...usualColumns].toSorted());
  expect(Math.min(...few.map(({ weight }) => weight))).toBeGreaterThan(Math.max(...left.map(({ weight }) => weight)));
});

test("no two columns are equally telling, so that nothing depends on chance", () => {
  expect(new Set(listColumns.map(({ weight }) => weight)).size).toBe(listColumns.length);
});

test("figures of a node that is silent carry their age, those of one that reports do not", () => {
  const now = Date.parse("2026-03-01T12:00:00.000Z");
  const ago = (ms: number): string => new Date(now - ms).toISOString();
  expect(silentFor({ health: "online", last_heartbeat: ago(60_000) }, now)).toBeNull();
  expect(silentFor({ health: "degraded", last_heartbeat: ago(100_000) }, now)).toBe("100\u00a0s");
  expect(silentFor({ health: "offline", last_heartbeat: ago(30 * 60_000) }, now)).toBe("30\u00a0min");
  expect(silentFor({ health: "offline", last_heartbeat: ago(61 * 86_400_000) }, now)).toBe("61\u00a0d");
  expect(silentFor({ health: "offline", last_heartbeat: null }, now)).toBeNull();
});

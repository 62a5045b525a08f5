import { expect, test } from "bun:test";
import { nextSort, seenText, sortColumns, sortOf, sortText } from "./columns.ts";

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

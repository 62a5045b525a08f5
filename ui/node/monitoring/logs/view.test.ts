import { expect, test } from "bun:test";
import type { LogLine } from "../../../../src/node/monitoring/logs/contract.ts";
import { cursorAfter, filtersOf, lineAt, readView, rowOf, spread, textOf } from "./view.ts";

const line = (text: string): LogLine => ({
  from: "docker:web",
  at: "2026-01-01T00:00:00Z",
  source: "stdout",
  level: null,
  text,
});
const viewOf = (query: string) => readView(new URLSearchParams(query));

test("an address says what is asked for, and what is wrong in it is left out", () => {
  expect(filtersOf(viewOf("source=system&unit=ssh.service&level=warn&q=a.b&regex=1"))).toEqual({
    source: "system",
    unit: "ssh.service",
    level: "warn",
    q: "a.b",
    regex: true,
  });
  expect(filtersOf(viewOf("source=docker:web&unit=ssh.service&level=loud&regex=1"))).toEqual({ source: "docker:web" });
  expect(viewOf("at=yesterday&around=7")).toMatchObject({ at: null, around: "" });
  expect(viewOf("at=2026-01-01T00:00:00.123456789Z").at).toBe("2026-01-01T00:00:00.123456789Z");
  expect(viewOf("at=2026-01-01T02:00:00%2B02:00").at).toBe("2026-01-01T00:00:00.000Z");
});

test("lines around several hits stand once each", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map(line) as [LogLine, LogLine, LogLine, LogLine];
  const found = [
    { before: [a], line: b, after: [c] },
    { before: [c], line: d, after: [] },
  ];
  expect(spread(found).map(({ line: { text }, isAround }) => [text, isAround])).toEqual([
    ["a", true],
    ["b", false],
    ["c", true],
    ["d", false],
  ]);
});

test("a copied line says when and where", () => {
  expect(textOf(line("GET /"))).toBe("2026-01-01T00:00:00Z web stdout - GET /");
});

test("older lines can be asked for again where the log could not be read", () => {
  const page = (is_readable: boolean, found: string[], next_cursor: string | null) => ({
    found: found.map((text) => ({ before: [], line: line(text), after: [] })),
    next_cursor,
    sources: [{ source: "docker:web", is_readable, note: is_readable ? null : "It took too long." }],
  });
  expect(cursorAfter("here", page(false, [], null))).toBe("here");
  expect(cursorAfter("here", page(false, ["a"], "there"))).toBe("there");
  expect(cursorAfter("here", page(true, ["a"], "there"))).toBe("there");
  expect(cursorAfter("here", page(true, [], null))).toBeNull();
});

test("a moment means the line that was written then, and otherwise the next one", () => {
  const rows = (...places: [key: number, at: string][]) =>
    places.map(([key, at]) => rowOf({ ...line("a"), at }, key, true));
  const older = rows([1, "2026-01-01T00:00:00.000000001Z"], [2, "2026-01-01T00:00:00.000000002Z"]);
  const newer = rows([3, "2026-01-01T00:00:00.000000004Z"]);
  expect(lineAt("2026-01-01T00:00:00.000000002Z", older, newer)).toBe(2);
  expect(lineAt("2026-01-01T00:00:00.000000003Z", older, newer)).toBe(3);
  expect(lineAt("2026-01-01T00:00:00.000000009Z", older, [])).toBe(2);
  expect(lineAt("2026-01-01T00:00:00.000000009Z", [], [])).toBeNull();
});

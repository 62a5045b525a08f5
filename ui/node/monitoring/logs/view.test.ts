import { expect, test } from "bun:test";
import type { LogLine } from "../../../../src/node/monitoring/logs/contract.ts";
import { cursorAfter, filtersOf, readView, spread, textOf } from "./view.ts";

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
  expect(viewOf("at=2026-01-01T00:00:00Z").at).toBe("2026-01-01T00:00:00.000Z");
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

import { expect, test } from "bun:test";
import { endedAtStart } from "./engine-return.ts";

const START = Date.parse("2026-01-01T12:00:00Z");
const ended = (FinishedAt: string, Status = "exited") =>
  endedAtStart({ State: { Status, FinishedAt } } as Parameters<typeof endedAtStart>[0], START);

test.each([
  ["2026-01-01T12:00:09.123456789Z", true],
  ["2026-01-01T11:59:59Z", true],
  ["2026-01-01T11:59:50Z", false],
  ["2026-01-01T12:01:00Z", false],
  ["0001-01-01T00:00:00Z", false],
])("a container that ended at %s came down with the engine: %p", (at, expected) => {
  expect(ended(at)).toBe(expected);
});

test("one that runs did not", () => {
  expect(ended("2026-01-01T12:00:01Z", "running")).toBe(false);
});

import { expect, test } from "bun:test";
import { parseMoment } from "./moment.ts";

test.each([
  ["2026-01-31", Date.UTC(2026, 0, 31)],
  ["2026-01-31T12:30", Date.UTC(2026, 0, 31, 12, 30)],
  ["2026-01-31 12:30:05", Date.UTC(2026, 0, 31, 12, 30, 5)],
  ["2026-01-31T12:30:05.250Z", Date.UTC(2026, 0, 31, 12, 30, 5, 250)],
  ["2026-01-31T12:30:00+02:00", Date.UTC(2026, 0, 31, 10, 30)],
  ["2026-01-31T12:30:00-0500", Date.UTC(2026, 0, 31, 17, 30)],
  ["2026-02-30T25:00", null],
  ["2026-13-01", null],
  ["yesterday", null],
  ["1767225600000", null],
  ["2026-01-31Z", null],
  ["", null],
])("%p", (text, at) => {
  expect(parseMoment(text)).toBe(at);
});

import { expect, test } from "bun:test";
import { isNight, nextNight } from "./night.ts";

const at = (text: string) => Date.parse(text);

test.each([
  ["in the evening", "2026-01-10T20:00:00Z", "Europe/Berlin", "2026-01-11T02:00:00Z"],
  ["after midnight", "2026-01-10T00:30:00Z", "UTC", "2026-01-10T03:00:00Z"],
  ["at that very moment", "2026-01-10T03:00:00Z", "UTC", "2026-01-11T03:00:00Z"],
  ["before the clocks go forward", "2026-03-28T20:00:00Z", "Europe/Berlin", "2026-03-29T01:00:00Z"],
  ["before they go back", "2026-10-24T20:00:00Z", "Europe/Berlin", "2026-10-25T02:00:00Z"],
  ["where the day is another one", "2026-03-29T06:00:00Z", "America/Anchorage", "2026-03-29T11:00:00Z"],
])("asked %s, the next night begins at three of the server's clock", (_, now, zone, start) => {
  expect(new Date(nextNight(at(now), zone)).toISOString()).toBe(new Date(at(start)).toISOString());
});

test("a night is over after three hours", () => {
  const start = at("2026-01-10T03:00:00Z");
  const hour = 3_600_000;
  expect([-1, 0, 3 * hour - 1, 3 * hour].map((more) => isNight(start, start + more))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

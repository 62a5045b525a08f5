import { expect, test } from "bun:test";
import { readZone, slowOccurrences, troubleWindows } from "../../../../tests/kit/slow-zone.ts";
import { isActive, occurrences } from "./recurrence.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2027, 0, 1);

test.each([
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "Asia/Kathmandu",
  "Pacific/Chatham",
])("two years in %s are those of a slow reference, at both edges", (timezone) => {
  const zone = readZone(timezone, FROM - 4 * 86_400_000, TO);
  for (const window of troubleWindows(timezone, 2025)) {
    const slow = slowOccurrences(window, zone, TO);
    expect([window, [...occurrences(window, FROM - 86_400_000, TO)]]).toEqual([window, slow]);
    for (const { start, end } of slow.filter((_, index) => index % 9 === 0)) {
      const edges = [start - 1, start, end - 1, end].map((at) => isActive(window, at));
      expect([start, ...edges]).toEqual([start, false, true, true, false]);
    }
  }
});

import { expect, test } from "bun:test";
import { grantWait, isDue, retryDelay } from "./retry.ts";

test("retries come after 10 s, 1 min, 5 min, 15 min, then hourly", () => {
  expect([1, 2, 3, 4, 5, 6, 40].map((failures) => retryDelay(failures, null) / 1000)).toEqual([
    10, 60, 300, 900, 3600, 3600, 3600,
  ]);
});

test("what the provider asks for only lengthens the wait, to a day at most", () => {
  expect(retryDelay(1, 2_000)).toBe(10_000);
  expect(retryDelay(1, 45_000)).toBe(45_000);
  expect([null, -1, 0.4, 45_000, 1e12, Number.POSITIVE_INFINITY].map(grantWait)).toEqual([
    null,
    0,
    1,
    45_000,
    86_400_000,
    86_400_000,
  ]);
});

test("a time that a wrong clock set does not stop a channel for years", () => {
  const now = Date.UTC(2026, 0, 1);
  expect([isDue(now, now), isDue(now + 1, now), isDue(now + 10 * 365 * 86_400_000, now)]).toEqual([true, false, true]);
});

import { expect, test } from "bun:test";
import { hours, minutes } from "../../../lib/duration.ts";
import { lookHourAhead, type Minute } from "./hour-ahead.ts";

const NOW = Date.UTC(2026, 0, 2);

const record = (count: number, valueAt: (hour: number) => number): Minute[] =>
  Array.from({ length: count }, (_, index) => {
    const t = NOW - minutes(count - index);
    return { t, value: valueAt((t - NOW) / hours(1)) };
  });

test("a steady climb goes on, and the test of the past says that the line is worth something", () => {
  const seen = lookHourAhead(
    record(1440, (hour) => 50 + 2 * hour),
    NOW,
  );
  expect(seen?.predicted).toBeCloseTo(52, 5);
  expect(seen?.trend_per_hour).toBeCloseTo(2, 5);
  expect(seen?.r_squared).toBeCloseTo(1, 5);
  expect(seen?.backtest).toMatchObject({ runs: 6, has_skill: true });
  expect(seen?.backtest.mean_absolute_error).toBeLessThan(0.2);
  expect(seen?.backtest.unchanged_error).toBeCloseTo(2, 5);
});

test("on a daily cycle the line has no skill, and says so", () => {
  const seen = lookHourAhead(
    record(1440, (hour) => 50 + 40 * Math.sin((hour / 24) * 2 * Math.PI)),
    NOW,
  );
  expect(seen?.backtest.has_skill).toBe(false);
  expect(seen?.backtest.mean_absolute_error).toBeGreaterThan(5);
});

test("too little, or nothing of now, gives no prediction", () => {
  expect(
    lookHourAhead(
      record(600, () => 1),
      NOW,
    ),
  ).toBeNull();
  expect(lookHourAhead([], NOW)).toBeNull();
  expect(lookHourAhead(record(1440, () => 1).slice(0, 1000), NOW)).toBeNull();
});

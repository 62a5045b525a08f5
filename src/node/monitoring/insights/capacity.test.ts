import { expect, test } from "bun:test";
import fc from "fast-check";
import { judgeCapacity } from "./capacity.ts";

const DAYS = 30;

/** Numbers in -1 to 1 that the seed decides. */
function wobble(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647) * 2 - 1;
  };
}

const record = (count: number, valueAt: (x: number) => number) =>
  Array.from({ length: count }, (_, x) => ({ x, y: valueAt(x) }));

const fill = fc
  .record({
    days: fc.integer({ min: 7, max: DAYS }),
    current: fc.integer({ min: 55, max: 92 }),
    untilFull: fc.integer({ min: 3, max: 55 }),
    noise: fc.integer({ min: 0, max: 8 }).map((value) => value / 10),
    seed: fc.nat(),
  })
  // A fill that began below empty would not be a straight one.
  .filter(({ days, current, untilFull }) => ((100 - current) / untilFull) * (days - 1) <= current);

test("nine of ten steady fills are forecast within a fifth of the days that are left", () => {
  const cases = fc.sample(fill, { numRuns: 500, seed: 20_261_121 });
  let right = 0;
  for (const { days, current, untilFull, noise, seed } of cases) {
    const random = wobble(seed);
    const slope = (100 - current) / untilFull;
    const series = record(days, (x) => current - slope * (days - 1 - x) + noise * random());
    const result = judgeCapacity(series, current, days - 1);
    const forecast = result.status === "ok" ? result.days_until_full : null;
    if (forecast !== null && Math.abs(forecast - untilFull) <= 0.2 * untilFull) right += 1;
  }
  expect(right / cases.length).toBeGreaterThanOrEqual(0.9);
});

test("what is cleaned up again and again is never said to run full", () => {
  fc.assert(
    fc.property(
      fc.record({
        period: fc.integer({ min: 2, max: 25 }),
        phase: fc.integer({ min: 0, max: 24 }),
        low: fc.integer({ min: 30, max: 75 }),
        height: fc.integer({ min: 6, max: 24 }),
        noise: fc.integer({ min: 0, max: 3 }).map((value) => value / 10),
        seed: fc.nat(),
      }),
      ({ period, phase, low, height, noise, seed }) => {
        const random = wobble(seed);
        const series = record(DAYS, (x) => low + (height * ((x + phase) % period)) / period + noise * random());
        const result = judgeCapacity(series, series.at(-1)?.y ?? 0, DAYS - 1);
        expect(result.status === "ok" ? result.days_until_full : null).toBeNull();
      },
    ),
    { numRuns: 1000 },
  );
});

test("a jump begins a new story, and falling use is no worry", () => {
  const jumped = record(DAYS, (x) => (x < 15 ? 30 + 0.1 * x : 60 + (x - 15)));
  const result = judgeCapacity(jumped, 74, DAYS - 1);
  expect(result).toMatchObject({ status: "ok", risk: "medium" });
  expect(result.status === "ok" && result.days_until_full).toBeCloseTo(26, 5);
  expect(
    judgeCapacity(
      record(DAYS, (x) => 90 - x),
      61,
      DAYS - 1,
    ),
  ).toMatchObject({
    status: "ok",
    risk: "low",
    days_until_full: null,
  });
});

test.each([
  [2, (x: number) => x, "needs 3 days of measurements; there are 2"],
  [DAYS, () => 60, "There is no trend"],
  [DAYS, () => 30, "It jumped lately"],
  [DAYS, (x: number) => 60 + (x % 2), "There is no trend"],
  [DAYS, (x: number) => (x === DAYS - 1 ? 80 : 40), "It jumped lately"],
  [DAYS, (x: number) => (x < 24 ? 50 : 50 + (x - 23) * 1.5), "no steady rate"],
])("%i days without a trend have a reason instead of a number", (count, valueAt, reason) => {
  const result = judgeCapacity(record(count, valueAt), 60, count - 1);
  expect(result.status === "insufficient_data" && result.reason).toContain(reason);
});

test("a disk that is half empty may fill as it likes", () => {
  const result = judgeCapacity(
    record(10, (x) => 10 + 3 * x),
    37,
    9,
  );
  expect(result).toMatchObject({ status: "ok", risk: "low" });
  expect(result.status === "ok" && result.days_until_full).toBeCloseTo(21, 0);
  expect(
    judgeCapacity(
      record(10, (x) => 60 + 4 * x),
      96,
      9,
    ),
  ).toMatchObject({ status: "ok", risk: "high" });
});

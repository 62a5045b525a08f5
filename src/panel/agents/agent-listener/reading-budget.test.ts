import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createReadingBudget } from "./reading-budget.ts";

const FRAME_VALUES = 25_000;

/** Reads frames for a workspace until its time is used up, `most` at the most; gives how many. */
function readAll(budget: ReturnType<typeof createReadingBudget>, tenantId: string, most = 100_000): number {
  let count = 0;
  for (; count < most && !budget.isSpent(tenantId); count++) budget.spend(tenantId, 0, FRAME_VALUES);
  return count;
}

test("a workspace is read for its share of the time, whatever others do", async () => {
  const clock = createFakeClock();
  const budget = createReadingBudget(clock, () => 0);
  expect(readAll(budget, "a")).toBe(13);
  expect(readAll(budget, "b", 5)).toBe(5);
  await clock.advance(1_000);
  // The debt of before was paid off first.
  expect(readAll(budget, "a")).toBe(4);
  budget.spend("c", 16 * 300_001, 0);
  expect(budget.isSpent("c")).toBe(true);
});

test("a fleet of ten thousand nodes is read, all of it every 20 seconds, also when it comes back at once", async () => {
  const clock = createFakeClock();
  const budget = createReadingBudget(clock, (tenantId) => (tenantId === "large" ? 10_000 : 1));
  for (let no = 0; no < 10_000; no++) budget.spend("large", 5_000, 200);
  expect(budget.isSpent("large")).toBe(false);
  for (let second = 0; second < 60; second++) {
    await clock.advance(1_000);
    for (let no = 0; no < 500; no++) budget.spend("large", 5_000, 200);
    for (let many = 0; many < 8; many++) readAll(budget, `flood-${many}`);
    expect(budget.isSpent("large")).toBe(false);
  }
});

test("many workspaces that use all they may leave time for others, and for those that use little", async () => {
  const clock = createFakeClock();
  const budget = createReadingBudget(clock, () => 0);
  const floods = Array.from({ length: 12 }, (_, no) => `flood-${no}`);
  let read = 0;
  for (let second = 0; second < 60; second++) {
    for (const flood of floods) {
      const count = readAll(budget, flood);
      if (second >= 30) read += count;
    }
    expect(budget.isSpent("quiet")).toBe(false);
    budget.spend("quiet", 5_000, 200);
    await clock.advance(1_000);
  }
  expect((read * FRAME_VALUES) / 30).toBeLessThan(600_000);
});

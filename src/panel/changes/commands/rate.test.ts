import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { days } from "../../../lib/duration.ts";
import { createCommandRate } from "./rate.ts";

/** Seconds to wait; 0 where there was room. */
function waitOf(work: () => void): number {
  try {
    work();
    return 0;
  } catch (error) {
    return Number((error as { params?: Record<string, unknown> }).params?.["retry_after_s"]);
  }
}

test("a workspace has room by its nodes, and gets it back in the course of a day", async () => {
  const clock = createFakeClock();
  const rate = createCommandRate(clock);
  const take = (count: number, of = "ten_1", nodes = 25) => waitOf(() => rate.take(of, nodes, count));
  expect([take(1_250), take(1) > 0, take(1_250, "ten_2")]).toEqual([0, true, 0]);
  expect(take(250)).toBe(days(1) / 20 / 1000);
  await clock.advance(days(1) / 20);
  expect([take(250), take(1) > 0]).toEqual([0, true]);
});

test("whoever used up what is for all has not silenced those who did little", () => {
  const rate = createCommandRate(createFakeClock());
  const take = (of: string, nodes: number, count: number) => waitOf(() => rate.take(of, nodes, count));
  for (let one = 0; one < 5; one++) expect(take(`ten_${one}`, 10_000, 100_000)).toBe(0);
  expect(take("ten_0", 10_000, 200_000)).toBeGreaterThan(0);
  expect([take("ten_9", 25, 600), take("ten_9", 25, 600) > 0]).toEqual([0, true]);
});

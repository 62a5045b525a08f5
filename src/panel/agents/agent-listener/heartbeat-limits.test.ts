import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { createHeartbeatLimits } from "./heartbeat-limits.ts";

const passes = (run: () => void): boolean => {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_requests") return false;
    throw error;
  }
};
const countPassed = (times: number, run: (index: number) => void): number =>
  Array.from({ length: times }, (_, index) => passes(() => run(index))).filter(Boolean).length;

test("one node is heard 60 times at once and twice a second, whatever others do", async () => {
  const clock = createFakeClock();
  const limits = createHeartbeatLimits(clock, () => 1);
  expect(countPassed(50_000, () => limits.assertNode("a"))).toBe(60);
  expect(countPassed(10, () => limits.assertNode("b"))).toBe(10);
  await clock.advance(10_000);
  expect(countPassed(1_000, () => limits.assertNode("a"))).toBe(20);
});

test("a workspace is heard by the number of its nodes: all of them ten times at once", async () => {
  const clock = createFakeClock();
  const counts: Record<string, number> = { small: 3, large: 10_000 };
  const limits = createHeartbeatLimits(clock, (id) => counts[id] ?? 0);
  const beat = (tenantId: string) => (index: number) =>
    limits.assertWorkspace({ tenantId, nodeId: `n${index}`, serial: "s" });
  expect(countPassed(5_000, beat("small"))).toBe(200);
  expect(countPassed(150_000, beat("large"))).toBe(100_000);
  await clock.advance(1_000);
  expect(countPassed(5_000, beat("small"))).toBe(10);
  expect(countPassed(50_000, beat("large"))).toBe(5_000);
});

import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { days } from "../../../lib/duration.ts";
import { createCommandRate } from "./rate.ts";

const owner = (tenant_id: string) => ({ tenant_id, account_id: "acc_owner", role: "org_owner" as const });

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
  const take = (count: number, of = "ten_1", nodes = 25) => waitOf(() => rate.take(owner(of), nodes, count));
  expect([take(1_250), take(1) > 0, take(1_250, "ten_2")]).toEqual([0, true, 0]);
  expect(take(250)).toBe(days(1) / 20 / 1000);
  await clock.advance(days(1) / 20);
  expect([take(250), take(1) > 0]).toEqual([0, true]);
});

test("whoever used up what is for all has not silenced those who did little", () => {
  const rate = createCommandRate(createFakeClock());
  const take = (of: string, nodes: number, count: number) => waitOf(() => rate.take(owner(of), nodes, count));
  for (let one = 0; one < 5; one++) expect(take(`ten_${one}`, 10_000, 100_000)).toBe(0);
  expect(take("ten_0", 10_000, 200_000)).toBeGreaterThan(0);
  expect([take("ten_9", 25, 600), take("ten_9", 25, 600) > 0]).toEqual([0, true]);
});

test("whoever uses up theirs silences no colleague, and nobody who may remove them", async () => {
  const clock = createFakeClock();
  const rate = createCommandRate(clock);
  const take = (account_id: string, role: "org_owner" | "org_admin" | "org_manager", count: number) =>
    waitOf(() => rate.take({ tenant_id: "ten_1", account_id, role }, 10, count));
  const each = (account: string, most: number) => [take(account, "org_manager", most), take(account, "org_manager", 1)];
  // Of 500: half of it for each, three quarters for all of them, and the rest for those who can remove them.
  expect(each("greedy", 250)).toEqual([0, Math.ceil(days(1) / 1000 / 1_000)]);
  expect(each("other", 125)).toEqual([0, Math.ceil(days(1) / 1000 / 1_500)]);
  expect([take("third", "org_manager", 1) > 0, take("boss", "org_admin", 100), take("owner", "org_owner", 25)]).toEqual(
    [...[true, 0, 0]],
  );
  expect(take("owner", "org_owner", 1)).toBeGreaterThan(0);
  // What was refused took nothing, and all is back in the course of a quarter of a day.
  await clock.advance(days(1) / 4);
  expect([take("greedy", "org_manager", 250), take("owner", "org_owner", 250)]).toEqual([0, 0]);
});

test("an owner has all of it", () => {
  const rate = createCommandRate(createFakeClock());
  expect([
    waitOf(() => rate.take(owner("ten_1"), 10, 500)),
    waitOf(() => rate.take(owner("ten_1"), 10, 1)) > 0,
  ]).toEqual([...[0, true]]);
});

import { beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { chargeOf, createStreamBudget, type StreamUse } from "./stream-budget.ts";

const MEGABYTE = 1_048_576;
const PIECE = 32_768;

let clock: ReturnType<typeof createFakeClock>;
let budget: ReturnType<typeof createStreamBudget>;
beforeEach(() => {
  clock = createFakeClock();
  budget = createStreamBudget(clock);
});

/** Streams of one reader that ask for more as soon as they were granted any; gives how much that was. */
function flood(tenantId: string, { reader = "ada", use = "logs" as StreamUse, streams = 10, piece = PIECE } = {}) {
  const share = budget.shareOf(use, tenantId, reader);
  let granted = 0;
  const again = () => {
    // As a node's answer would come: not within the grant itself.
    clock.after(1, () =>
      share.ask(() => {
        granted += piece;
        again();
        return piece;
      }),
    );
  };
  for (let no = 0; no < streams; no++) again();
  return () => granted;
}

const megabytes = (bytes: number): number => bytes / MEGABYTE;

/** What was granted in ten seconds, when all that may come at once has come. */
async function inTenSeconds(counts: readonly (() => number)[]): Promise<number[]> {
  await clock.advance(5_000);
  const before = counts.map((count) => count());
  await clock.advance(10_000);
  return counts.map((count, at) => megabytes(count() - (before[at] ?? 0)));
}

test("a workspace has its share, whoever of it asks, and each of them as much as the others", async () => {
  const granted = await inTenSeconds([
    flood("a", { reader: "ada", streams: 10 }),
    flood("a", { reader: "bob", streams: 1, piece: 4 * PIECE }),
    flood("a", { reader: "cid", streams: 40, piece: 2 * PIECE }),
  ]);
  const total = granted.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(39);
  expect(total).toBeLessThan(41);
  for (const each of granted) expect(Math.abs(each - total / 3)).toBeLessThan(1);
});

test("all workspaces together have a share of the program's time, and each as much as the others", async () => {
  const few = flood("few", { streams: 1, piece: 4 * PIECE });
  const many = Array.from({ length: 7 }, (_, no) => flood(`many-${no}`, { streams: 50 }));
  const granted = await inTenSeconds([few, ...many]);
  const total = granted.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(150);
  expect(total).toBeLessThan(165);
  for (const each of granted) expect(Math.abs(each - total / 8)).toBeLessThan(2);
});

test("whoever asks for little is granted it at their next turn, however many others flood, and terminals at once", async () => {
  for (let no = 0; no < 40; no++) flood(`flood-${no}`);
  await clock.advance(5_000);
  for (let times = 0; times < 50; times++) {
    const asked = clock.monotonic();
    const at = Promise.withResolvers<number>();
    budget.shareOf("logs", "quiet", "eve").ask(() => {
      at.resolve(clock.monotonic());
      return PIECE;
    });
    let isTyped = false;
    budget.shareOf("terminals", "flood-1", "ada").ask(() => {
      isTyped = true;
      return 100;
    });
    expect(isTyped).toBe(true);
    await clock.advance(500);
    expect((await at.promise) - asked).toBeLessThan(100);
  }
});

test("what streams brought that ended is charged, to others of the panel for half a second at the most", async () => {
  budget.shareOf("logs", "a", "ada").pay(40 * MEGABYTE);
  let own = 0;
  let others = 0;
  budget.shareOf("logs", "a", "bob").ask(() => ++own);
  budget.shareOf("logs", "b", "eve").ask(() => ++others);
  await clock.advance(480);
  expect(others).toBe(0);
  await clock.advance(40);
  expect(others).toBe(1);
  await clock.advance(7_000);
  expect(own).toBe(0);
  await clock.advance(1_000);
  expect(own).toBe(1);
});

test("small values are charged for more than their bytes", () => {
  expect(chargeOf(10_000, 10)).toBeLessThan(11_000);
  expect(chargeOf(10_000, 1_000)).toBeGreaterThan(50_000);
});

interface Step {
  tenant: number;
  reader: number;
  charge: number;
  waitMs: number;
  isWithdrawn: boolean;
}
const step: fc.Arbitrary<Step> = fc.record({
  tenant: fc.nat(3),
  reader: fc.nat(2),
  charge: fc.integer({ min: 0, max: MEGABYTE }),
  waitMs: fc.integer({ min: 0, max: 200 }),
  isWithdrawn: fc.boolean(),
});

test("each is granted once in its reader's order, unless it was withdrawn, and nobody has more than their share", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      clock = createFakeClock();
      budget = createStreamBudget(clock);
      const granted: number[] = [];
      const charged = new Map<number, number>();
      const withdrawn = new Set<number>();
      for (const [no, { tenant, reader, charge, waitMs, isWithdrawn }] of steps.entries()) {
        const withdraw = budget.shareOf("logs", `t${tenant}`, `r${reader}`).ask(() => {
          granted.push(no);
          charged.set(tenant, (charged.get(tenant) ?? 0) + charge);
          return charge;
        });
        await clock.advance(waitMs);
        for (const each of charged.values())
          expect(megabytes(each)).toBeLessThanOrEqual(4 * (2 + clock.monotonic() / 1_000) + 1);
        if (isWithdrawn && !granted.includes(no)) withdrawn.add(no);
        if (isWithdrawn) withdraw();
      }
      await clock.advance(60_000);
      expect(granted.length + withdrawn.size).toBe(steps.length);
      expect(granted.filter((no) => withdrawn.has(no))).toEqual([]);
      for (const [tenant, reader] of [0, 1, 2, 3].flatMap((t) => [0, 1, 2].map((r) => [t, r] as const))) {
        const own = granted.filter((no) => steps[no]?.tenant === tenant && steps[no]?.reader === reader);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: runs(40) },
  );
});

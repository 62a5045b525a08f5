import { expect, test } from "bun:test";
import fc from "fast-check";
import { minutes, seconds } from "../../../lib/duration.ts";
import { judge, LONGEST_WAIT_MS, type Outcome, RETRIES_MS } from "./outcome.ts";

const outcome = (change: Partial<Outcome> = {}): Outcome => ({
  isOk: false,
  status_code: 500,
  duration_ms: 1,
  error: "no",
  reply: "",
  retryAfterMs: 0,
  ...change,
});
const OK = outcome({ isOk: true, status_code: 200, error: null });
const fresh = {
  status: "pending",
  attempts: 0,
  manual: 0,
  manual_tries: 0,
  resume_at: null,
  due_at: 0,
  delivered_at: null,
} as const;
const well = { active: 1, failures: 0, counted_at: null, off_reason: null, off_at: null } as const;

test("the waits are those of the contract, after which it has failed", () => {
  expect(RETRIES_MS).toEqual([60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]);
  let state = {
    delivery: { ...fresh } as Parameters<typeof judge>[0],
    webhook: { ...well } as Parameters<typeof judge>[1],
  };
  let now = 1_000;
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 6; attempt++) {
    state = judge(state.delivery, state.webhook, outcome(), now, 0);
    if (state.delivery.status !== "pending") break;
    waits.push(state.delivery.due_at - now);
    now = state.delivery.due_at;
  }
  expect(waits).toEqual([...RETRIES_MS]);
  expect(state.delivery).toMatchObject({ status: "failed", attempts: 6 });
  expect(state.webhook).toMatchObject({ active: 1, failures: 6 });
});

test("a wait is never shorter than the contract's, at most a tenth longer, and Retry-After only lengthens it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.nat(10 ** 12),
      fc.nat(10 ** 9),
      (attempts, random, now, retryAfterMs) => {
        const plain = judge({ ...fresh, attempts }, well, outcome(), now, random).delivery.due_at - now;
        const base = RETRIES_MS[attempts] ?? 0;
        expect(plain).toBeGreaterThanOrEqual(base);
        expect(plain).toBeLessThanOrEqual(Math.ceil(base * 1.1));
        const asked = judge({ ...fresh, attempts }, well, outcome({ retryAfterMs }), now, random).delivery.due_at - now;
        expect(asked).toBe(Math.max(plain, Math.min(retryAfterMs, 86_400_000)));
        expect(asked).toBeLessThan(LONGEST_WAIT_MS);
      },
    ),
  );
});

test("ten failures in a row switch a webhook off; those of one minute count once; a success starts over", () => {
  /** Failures counted at each of these moments; `ok` is a success. */
  const failuresAfter = (...moments: (number | "ok")[]) => {
    let webhook: Parameters<typeof judge>[1] = { ...well };
    let now = 0;
    for (const moment of moments) {
      now = moment === "ok" ? now + 1 : moment;
      webhook = judge({ ...fresh }, webhook, moment === "ok" ? OK : outcome(), now, 0).webhook;
    }
    return webhook;
  };
  const burst = Array.from({ length: 50 }, (_, index) => seconds(index));
  expect(failuresAfter(...burst)).toMatchObject({ failures: 1, active: 1 });
  expect(failuresAfter(0, seconds(59), seconds(60), seconds(119), seconds(120)).failures).toBe(3);
  const apart = Array.from({ length: 10 }, (_, index) => minutes(index));
  expect(failuresAfter(...apart.slice(1))).toMatchObject({ failures: 9, active: 1 });
  expect(failuresAfter(...apart)).toEqual({
    active: 0,
    failures: 10,
    counted_at: minutes(9),
    off_reason: "failures",
    off_at: minutes(9),
  });
  expect(failuresAfter(...apart.slice(0, 9), "ok", ...apart.slice(1)).failures).toBe(9);
  // A clock that was set back starts a new count instead of never counting again.
  expect(failuresAfter(minutes(60), minutes(1)).failures).toBe(2);
});

test("410 ends the delivery and switches the webhook off at once", () => {
  const { delivery, webhook } = judge(fresh, well, outcome({ status_code: 410 }), 5, 0);
  expect([delivery.status, delivery.attempts]).toEqual(["failed", 1]);
  expect(webhook).toMatchObject({ active: 0, off_reason: "gone", off_at: 5 });
});

test("what a person asked for is one attempt: it proves a webhook well, never ill", () => {
  const manual = { ...fresh, manual: 1, attempts: 6 } as const;
  const sick = { ...well, failures: 9, counted_at: 0 };
  expect(judge(manual, sick, outcome(), minutes(5), 0)).toEqual({
    delivery: { ...manual, manual: 0, manual_tries: 1, status: "failed", attempts: 7 },
    webhook: sick,
  });
  expect(judge(manual, sick, OK, 7, 0)).toEqual({
    delivery: { ...manual, manual: 0, manual_tries: 1, status: "delivered", attempts: 7, delivered_at: 7 },
    webhook: { ...sick, failures: 0, counted_at: null },
  });
  // The automatic attempt that it came before is still due, at its time, and has its own wait after it.
  const between = judge({ ...manual, attempts: 2, resume_at: 99 }, sick, outcome(), minutes(5), 0).delivery;
  expect(between).toMatchObject({
    status: "pending",
    attempts: 3,
    manual: 0,
    manual_tries: 1,
    resume_at: null,
    due_at: 99,
  });
  expect(judge(between, well, outcome(), 0, 0).delivery.due_at).toBe(RETRIES_MS[2] ?? 0);
  // What was delivered once stays delivered.
  expect(judge({ ...manual, delivered_at: 3 }, well, outcome(), 9, 0).delivery).toMatchObject({
    status: "delivered",
    delivered_at: 3,
  });
});

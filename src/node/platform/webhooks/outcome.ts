import { hours, minutes, seconds } from "../../../lib/duration.ts";
import type { DeliveryRow } from "./delivery-store.ts";
import type { OffReason, WebhookRow } from "./store.ts";

/** What one attempt came to. */
export interface Outcome {
  isOk: boolean;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  reply: string | null;
  /** What the receiver asked for with `Retry-After`; 0 when nothing. */
  retryAfterMs: number;
}

/** Waits after the first to the fifth failed attempt, as the contract has them. */
export const RETRIES_MS: readonly number[] = [minutes(1), minutes(5), minutes(30), hours(2), hours(12)];
/** Part of a wait that chance may add, so that many nodes do not come back at once; nothing is ever taken off. */
const JITTER = 0.1;
const LONGEST_RETRY_AFTER_MS = hours(24);
/** No rule makes a delivery wait for longer. */
export const LONGEST_WAIT_MS = LONGEST_RETRY_AFTER_MS + hours(1);
const FAILURES_TO_OFF = 10;
/** Failures within this time are one: a receiver that restarts must not lose its webhook over a burst of events. */
const BURST_MS = seconds(60);
const GONE = 410;

type Health = Pick<WebhookRow, "active" | "failures" | "counted_at" | "off_reason" | "off_at">;
type Progress = Pick<
  DeliveryRow,
  "status" | "attempts" | "manual" | "manual_tries" | "resume_at" | "due_at" | "delivered_at"
>;

function countFailure(health: Health, now: number): Health {
  const { counted_at } = health;
  const isSameBurst = counted_at !== null && now >= counted_at && now - counted_at < BURST_MS;
  return isSameBurst ? health : { ...health, failures: health.failures + 1, counted_at: now };
}

function switchOff(health: Health, reason: OffReason, now: number): Health {
  return health.active === 1 ? { ...health, active: 0, off_reason: reason, off_at: now } : health;
}

/** Health of a webhook after an attempt. Attempts that a person asked for can prove it well, but not ill. */
function judgeHealth(health: Health, outcome: Outcome, isManual: boolean, now: number): Health {
  if (outcome.isOk) return { ...health, failures: 0, counted_at: null };
  if (outcome.status_code === GONE) return switchOff(health, "gone", now);
  if (isManual) return health;
  const counted = countFailure(health, now);
  return counted.failures >= FAILURES_TO_OFF ? switchOff(counted, "failures", now) : counted;
}

/** Where a delivery stands after an attempt, and its webhook. `random` is in [0, 1), `now` the end of the attempt. */
export function judge(
  delivery: Progress,
  webhook: Health,
  outcome: Outcome,
  now: number,
  random: number,
): { delivery: Progress; webhook: Health } {
  const isManual = delivery.manual === 1;
  const health = judgeHealth(webhook, outcome, isManual, now);
  const attempts = delivery.attempts + 1;
  const manual_tries = delivery.manual_tries + (isManual ? 1 : 0);
  const ended = { ...delivery, attempts, manual: 0 as const, manual_tries, resume_at: null };
  if (outcome.isOk) return { delivery: { ...ended, status: "delivered", delivered_at: now }, webhook: health };
  const isGone = outcome.status_code === GONE;
  // The automatic attempt that was due is still to come, whatever came of the one in between.
  if (isManual && delivery.resume_at !== null && !isGone)
    return { delivery: { ...ended, due_at: delivery.resume_at }, webhook: health };
  const wait = RETRIES_MS[attempts - manual_tries - 1];
  if (isManual || wait === undefined || isGone) {
    const status = delivery.delivered_at === null ? "failed" : "delivered";
    return { delivery: { ...ended, status }, webhook: health };
  }
  const asked = Math.min(outcome.retryAfterMs, LONGEST_RETRY_AFTER_MS);
  const due_at = now + Math.max(Math.ceil(wait * (1 + JITTER * random)), asked);
  return { delivery: { ...ended, due_at }, webhook: health };
}

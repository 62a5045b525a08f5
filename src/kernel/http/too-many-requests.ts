import { type AppError, kernelFail } from "./errors.ts";
import type { Limiter, Measure } from "./limit.ts";

/** The refusal of whoever came too often, to be thrown: they may come again in `waitS` seconds, which the header says as well. */
export const tooManyRequests = (waitS: number, headers: Record<string, string> = {}): AppError =>
  kernelFail("too_many_requests", { retry_after_s: waitS }, { "retry-after": String(waitS), ...headers });

/** Lets through whoever has no seconds to wait, as limiters count them. Throws `too_many_requests`. */
export function assertNoWait(waitS: number): void {
  if (waitS > 0) throw tooManyRequests(waitS);
}

/** Takes one of `key`. Throws `too_many_requests`. */
export function takeOne(limiter: Pick<Limiter, "take">, key: string): void {
  assertNoWait(limiter.take(key));
}

/** Whoever counts, and by which key. */
export type Counted = readonly (readonly [Measure, string])[];

/** Lets through whoever could take as much of each. Throws `too_many_requests`. */
export function checkAll(counted: Counted, cost?: number): void {
  assertNoWait(Math.max(0, ...counted.map(([measure, key]) => measure.check(key, cost))));
}

/** Takes one of each, or as much as it costs, or of none. Throws `too_many_requests`. */
export function takeAll(counted: Counted, cost?: number): void {
  checkAll(counted, cost);
  for (const [measure, key] of counted) measure.take(key, cost);
}

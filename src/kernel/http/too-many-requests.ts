import { type AppError, kernelFail } from "./errors.ts";
import type { Limiter } from "./limit.ts";

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

/** Takes one of each, or of none. Throws `too_many_requests`. */
export function takeAll(counted: readonly (readonly [Pick<Limiter, "take" | "check">, string])[]): void {
  assertNoWait(Math.max(0, ...counted.map(([limiter, key]) => limiter.check(key))));
  for (const [limiter, key] of counted) limiter.take(key);
}

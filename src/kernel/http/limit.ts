import type { Clock } from "../../lib/clock.ts";
import { minutes } from "../../lib/duration.ts";

/** Counts events per key in a sliding window, bounded in memory. */
export interface Limiter {
  /** Takes one from `key`; returns 0 when allowed, else the seconds to wait. */
  take(key: string): number;
  /** Seconds to wait before `take` would succeed, without taking. */
  check(key: string): number;
  /** Returns the latest take of `key`, for example after a right password; does nothing where as much was given back as may be. */
  giveBack(key: string): void;
}

const MAX_KEYS = 20_000;

/**
 * At most `max` takes in any `windowMs`, of which each key has at most `backPerMinute` given back in a minute; left out, all. The least
 * recently used keys are forgotten first when there are too many.
 */
export function createLimiter(clock: Clock, max: number, windowMs: number, backPerMinute?: number): Limiter {
  const takes = new Map<string, number[]>();
  const backs = backPerMinute === undefined ? null : createLimiter(clock, backPerMinute, minutes(1));

  function recent(key: string): number[] {
    const since = clock.monotonic() - windowMs;
    const times = takes.get(key) ?? [];
    // In their order: mostly all of them count still, and thousands are not copied for each request.
    const first = times.findIndex((at) => at > since);
    return first === 0 ? times : first === -1 ? [] : times.slice(first);
  }

  function waitSeconds(times: number[]): number {
    const oldest = times[0];
    if (times.length < max || oldest === undefined) return 0;
    return Math.max(1, Math.ceil((oldest + windowMs - clock.monotonic()) / 1000));
  }

  return {
    take(key) {
      const times = recent(key);
      const wait = waitSeconds(times);
      if (wait === 0) times.push(clock.monotonic());
      takes.delete(key);
      takes.set(key, times);
      const first = takes.keys().next();
      if (takes.size > MAX_KEYS && !first.done) takes.delete(first.value);
      return wait;
    },
    check: (key) => waitSeconds(recent(key)),
    giveBack: (key) => {
      if (backs === null || backs.take(key) === 0) takes.get(key)?.pop();
    },
  };
}

/**
 * At most `max` takes in any `windowMs` by all together, and still the first `ownMax` of each key after that: whoever used up what
 * is for all has not silenced the others.
 */
export function createSharedLimiter(
  clock: Clock,
  { max, ownMax }: { max: number; ownMax: number },
  windowMs: number,
): Pick<Limiter, "take" | "check"> {
  const all = createLimiter(clock, max, windowMs);
  const own = createLimiter(clock, ownMax, windowMs);
  const check = (key: string): number => (own.check(key) === 0 ? 0 : all.check(""));
  return {
    check,
    take(key) {
      const wait = check(key);
      if (wait > 0) return wait;
      own.take(key);
      all.take("");
      return 0;
    },
  };
}

/** A token bucket per key: `perSecond` on average, `burst` at once. Cheap enough for every request. */
export function createBucketLimiter(clock: Clock, perSecond: number, burst: number): Pick<Limiter, "take"> {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(key) {
      const now = clock.monotonic();
      const bucket = buckets.get(key) ?? { tokens: burst, at: now };
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      bucket.at = now;
      // Put back at the end: a flood of other keys must not make the limiter forget who keeps asking.
      buckets.delete(key);
      buckets.set(key, bucket);
      const first = buckets.keys().next();
      if (buckets.size > MAX_KEYS && !first.done) buckets.delete(first.value);
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
      bucket.tokens -= 1;
      return 0;
    },
  };
}

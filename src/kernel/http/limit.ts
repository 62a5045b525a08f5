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

/** What things that cost unequally are counted by; what is left out costs one. */
export interface Measure {
  /** Takes as much from `key`; returns 0 when allowed, else the seconds to wait. */
  take(key: string, cost?: number): number;
  /** Seconds to wait before `take` would succeed, without taking. */
  check(key: string, cost?: number): number;
}

/** What is for all, and after that still what each key has of its own: whoever used up what is for all has not silenced the others. */
function shareMeasure(all: Measure, own: Measure): Measure {
  const check = (key: string, cost?: number): number => (own.check(key, cost) === 0 ? 0 : all.check("", cost));
  return {
    check,
    take(key, cost) {
      const wait = check(key, cost);
      if (wait > 0) return wait;
      own.take(key, cost);
      all.take("", cost);
      return 0;
    },
  };
}

/** At most `max` takes in any `windowMs` by all together, and still the first `ownMax` of each key after that. */
export const createSharedLimiter = (
  clock: Clock,
  { max, ownMax }: { max: number; ownMax: number },
  windowMs: number,
): Measure => shareMeasure(createLimiter(clock, max, windowMs), createLimiter(clock, ownMax, windowMs));

/** A token bucket per key: `perSecond` on average, `burst` at once. Cheap enough for every request. */
export function createBucketLimiter(clock: Clock, perSecond: number, burst: number): Measure {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const filled = (key: string) => {
    const now = clock.monotonic();
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now };
    return { tokens: Math.min(burst, tokens + ((now - at) / 1000) * perSecond), at: now };
  };
  const waitSeconds = (tokens: number, cost: number): number =>
    tokens >= cost ? 0 : Math.ceil((cost - tokens) / perSecond);
  return {
    check: (key, cost = 1) => waitSeconds(filled(key).tokens, cost),
    take(key, cost = 1) {
      const bucket = filled(key);
      const wait = waitSeconds(bucket.tokens, cost);
      if (wait === 0) bucket.tokens -= cost;
      // Put back at the end: a flood of other keys must not make the limiter forget who keeps asking.
      buckets.delete(key);
      buckets.set(key, bucket);
      const first = buckets.keys().next();
      if (buckets.size > MAX_KEYS && !first.done) buckets.delete(first.value);
      return wait;
    },
  };
}

/** `max` an hour on average, and as many at once, by all together, and of each key still `ownMax` like that when others used those up. */
export const createSharedBucket = (clock: Clock, { max, ownMax }: { max: number; ownMax: number }): Measure =>
  shareMeasure(createBucketLimiter(clock, max / 3_600, max), createBucketLimiter(clock, ownMax / 3_600, ownMax));

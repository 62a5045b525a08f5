import type { Clock } from "../../../lib/clock.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";

/** Gives the answer of that name, made now or a short while ago. */
export type KeptAnswers<T> = (name: string, make: () => Promise<T>) => Promise<T>;

/** Answers that are dear to make: whoever asks again soon, or while one is being made, gets the same one. */
export function keepAnswers<T>(clock: Clock, ttlMs: number, capacity: number): KeptAnswers<T> {
  const kept = createExpiringMap<Promise<T>>(clock, capacity);
  return (key, make) => {
    const known = kept.get(key);
    if (known) return known;
    const fresh = make();
    kept.set(key, fresh, ttlMs);
    // A failure is nobody else's answer.
    fresh.catch(() => {
      if (kept.get(key) === fresh) void kept.take(key);
    });
    return fresh;
  };
}

import type { Clock } from "./clock.ts";
import { createPiles } from "./piles.ts";

/** How many values there are at most, and how long each lives. */
export interface SharedMapRules {
  size: number;
  ttlMs: number;
}

/** Short-lived values by key, bounded in number, of which nobody can push out those of others. */
export interface SharedMap<V> {
  /** Keeps `value` of whom `path` leads to, the widest part first, as a provider, a site of it, and so on. */
  set(key: string, value: V, path: readonly string[]): void;
  /** The value while it lives, else null. */
  get(key: string): V | null;
  /** Like `get`, and removes it: of several callers only the first gets it. */
  take(key: string): V | null;
  /** Everything that lives, oldest first. */
  values(): V[];
}

interface Entry<V> {
  value: V;
  end: number;
  takeAway(): void;
}

/**
 * A map where whoever has most makes room once it is full, with their oldest: of all the part that has most, in it again, and so on down.
 * On monotonic time, so that setting the host's clock ends nothing early or late.
 */
export function createSharedMap<V>(clock: Pick<Clock, "monotonic">, { size, ttlMs }: SharedMapRules): SharedMap<V> {
  /** In the order in which they end. */
  const entries = new Map<string, Entry<V>>();
  const keys = createPiles<string>();

  function drop(key: string): void {
    entries.get(key)?.takeAway();
    entries.delete(key);
  }

  function makeRoom(): void {
    for (const [key, { end }] of entries) {
      if (end > clock.monotonic()) break;
      drop(key);
    }
    const oldest = entries.size < size ? undefined : keys.oldestOfMost();
    if (oldest !== undefined) drop(oldest);
  }

  function find(key: string): V | null {
    const entry = entries.get(key);
    return entry !== undefined && entry.end > clock.monotonic() ? entry.value : null;
  }

  return {
    set(key, value, path) {
      drop(key);
      makeRoom();
      entries.set(key, { value, end: clock.monotonic() + ttlMs, takeAway: keys.add(path, key) });
    },
    get: find,
    take(key) {
      const value = find(key);
      drop(key);
      return value;
    },
    values: () => [...entries.keys()].map(find).filter((value) => value !== null),
  };
}

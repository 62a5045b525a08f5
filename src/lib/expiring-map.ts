import type { Clock } from "./clock.ts";

/** Short-lived values by key, bounded in number: the oldest give way, so that strangers cannot fill the memory. */
export interface ExpiringMap<V> {
  /** Keeps `value` for `ttlMs` from now, replacing what was there. */
  set(key: string, value: V, ttlMs: number): void;
  /** The value while it lives, else null. */
  get(key: string): V | null;
  /** Like `get`, and removes it: of several callers only the first gets it. */
  take(key: string): V | null;
  /** Everything that lives, oldest first. */
  values(): V[];
}

/** A map of at most `capacity` entries on monotonic time, so that setting the host's clock ends nothing early or late. */
export function createExpiringMap<V>(clock: Clock, capacity: number): ExpiringMap<V> {
  const entries = new Map<string, { value: V; end: number }>();

  function get(key: string): V | null {
    const entry = entries.get(key);
    if (!entry) return null;
    if (entry.end > clock.monotonic()) return entry.value;
    entries.delete(key);
    return null;
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (entry.end > clock.monotonic() && entries.size < capacity) return;
      entries.delete(key);
    }
  }

  return {
    set(key, value, ttlMs) {
      entries.delete(key);
      makeRoom();
      entries.set(key, { value, end: clock.monotonic() + ttlMs });
    },
    get,
    take(key) {
      const value = get(key);
      entries.delete(key);
      return value;
    },
    values: () => [...entries.keys()].map(get).filter((value) => value !== null),
  };
}

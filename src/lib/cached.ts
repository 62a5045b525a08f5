import type { Clock } from "./clock.ts";
import { onNobodysErrand } from "./standing.ts";

/** A value that is loaded when asked for and kept for a while. */
export interface Cached<T> {
  /** The kept value, or a fresh one; callers who come while it loads share that load. */
  get(): Promise<T>;
  /** Forgets the value, also one that is being loaded, so that the next caller gets a fresh one. */
  clear(): void;
}

/** Keeps what `load` gives for `ttlMs`, counted from its end. A failed load is not kept. */
export function createCached<T>(clock: Pick<Clock, "monotonic">, ttlMs: number, load: () => T | Promise<T>): Cached<T> {
  let kept: { value: T; at: number } | null = null;
  let loading: Promise<T> | null = null;

  async function reload(): Promise<T> {
    const mine = onNobodysErrand(async () => load());
    loading = mine;
    try {
      const value = await mine;
      if (loading === mine) kept = { value, at: clock.monotonic() };
      return value;
    } finally {
      if (loading === mine) loading = null;
    }
  }

  return {
    async get() {
      if (kept && clock.monotonic() - kept.at < ttlMs) return kept.value;
      return loading ?? reload();
    },
    clear() {
      kept = null;
      loading = null;
    },
  };
}

import type { Clock } from "../../src/lib/clock.ts";

/** A clock that stands still until `advance` turns it; timers due on the way run in order. */
export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>;
  /** Steps wall time only, as when somebody sets the host's clock. */
  jump(ms: number): void;
}

interface Timer {
  due: number;
  run: () => void;
}

/** Starts at 2026-01-01T00:00:00Z unless told otherwise. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsed = 0;
  let offset = start;
  const timers = new Set<Timer>();

  function after(ms: number, run: () => void): () => void {
    const timer = { due: elapsed + ms, run };
    timers.add(timer);
    return () => timers.delete(timer);
  }

  return {
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    after,
    every(ms, fn) {
      let cancel = () => {};
      const again = () => {
        cancel = after(ms, () => {
          again();
          fn();
        });
      };
      again();
      return () => cancel();
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const cancel = after(ms, resolve);
        signal?.addEventListener("abort", () => {
          cancel();
          resolve();
        });
      }),
    jump(ms) {
      offset += ms;
    },
    async advance(ms) {
      const end = elapsed + ms;
      while (true) {
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (!next || next.due > end) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.due);
        next.run();
        await Bun.sleep(0);
      }
      elapsed = end;
    },
  };
}

/** The same clock, but waiting costs nothing: every sleep moves it on. */
export function passing(clock: FakeClock): FakeClock {
  return { ...clock, sleep: (ms) => clock.advance(ms) };
}

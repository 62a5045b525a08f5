import { onNobodysErrand } from "./standing.ts";

/** Time as a dependency: everything above `lib` reads the clock it was given, so tests can turn it by hand. */
export interface Clock {
  /** Wall time, milliseconds since 1970 UTC; may step when the host's clock is set. */
  now(): number;
  /** Milliseconds that never step back; only differences mean anything. */
  monotonic(): number;
  /** Resolves after `ms`, or at once (without error) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `fn` once after `ms`; the returned function cancels it. The timer does not keep the process alive. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` every `ms` (24 days at most) until the returned function is called. Does not keep the process alive. */
  every(ms: number, fn: () => void): () => void;
}

/** What a timer of the runtime can count; it would fire at once for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function startTimer(ms: number, fn: () => void, keepsProcess: boolean): () => void {
  const part = Math.min(ms, LONGEST_TIMER_MS);
  let cancel = () => clearTimeout(timer);
  const ring = () => {
    if (part === ms) return fn();
    cancel = startTimer(ms - part, fn, keepsProcess);
  };
  const timer = onNobodysErrand(() => setTimeout(ring, part));
  if (!keepsProcess) timer.unref();
  return () => cancel();
}

/** The host's real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        cancel();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const cancel = startTimer(ms, done, true);
      signal?.addEventListener("abort", done);
    }),
  after: (ms, fn) => startTimer(ms, fn, false),
  every: (ms, fn) => {
    const timer = onNobodysErrand(() => setInterval(fn, ms));
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** ISO 8601 UTC with milliseconds, the wire's only time format. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** What a date can be, milliseconds on both sides of 1970. */
const LAST_MOMENT = 8.64e15;

/** The same for a time that a file or a stranger has, which may be any number: 1970 where no date can be that. */
export const toAnyIso = (ms: number): string => toIso(Math.abs(ms) <= LAST_MOMENT ? ms : 0);

/** Whether so many milliseconds went by. Also after a time that the clock has not come to: it was wrong then, and nobody can tell. */
export const isLongSince = (clock: Pick<Clock, "now">, at: number, ms: number): boolean =>
  at > clock.now() || clock.now() - at >= ms;

import type { Clock } from "./clock.ts";
import { createGate } from "./gate.ts";

/** Runs a task in its turn; rejects as the task does, or with what `end` was aborted for. */
export type Turns = <T>(task: (end: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Runs one task at a time, the others wait in order. A turn takes `mostMs` at most: then `end` is aborted with the `reason` and the next
 * task begins, so that one that hangs keeps nobody waiting for ever. What it does afterwards it does no more in its turn: it asks `end` before.
 */
export function createTurns(clock: Pick<Clock, "after">, mostMs: number, reason: () => Error): Turns {
  const pass = createGate(1);
  return (task) =>
    pass(async () => {
      const end = new AbortController();
      const over = Promise.withResolvers<never>();
      const cancel = clock.after(mostMs, () => {
        const error = reason();
        end.abort(error);
        over.reject(error);
      });
      try {
        return await Promise.race([task(end.signal), over.promise]);
      } finally {
        cancel();
      }
    });
}

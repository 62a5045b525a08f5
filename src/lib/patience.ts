import type { Clock } from "./clock.ts";

/** Waits for `promise` at most `ms`, then rejects; the work itself goes on unheard. */
export async function withPatience<T>(clock: Pick<Clock, "sleep">, ms: number, promise: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then((): never => {
    throw new Error(`no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    answered.abort();
  }
}

/** Options of `until`; times in milliseconds. */
export interface UntilOptions {
  timeoutMs?: number;
  everyMs?: number;
  /** What is waited for, for the message of the failure. */
  what?: string;
}

/** Asks until the answer is neither null, undefined nor false, and returns it; throws when the time is over. */
export async function until<T>(
  ask: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  { timeoutMs = 20_000, everyMs = 50, what = "the expected state" }: UntilOptions = {},
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause: last instanceof Error ? last : undefined });
    }
    await Bun.sleep(everyMs);
  }
}

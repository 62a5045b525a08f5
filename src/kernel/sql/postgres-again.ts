import type { Clock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";

/** How often a transaction is tried, and how long at most until the next try. */
const TRIES = 3;
const PAUSE_MS = 50;

/** What PostgreSQL says of a transaction that it undid for the sake of another: a deadlock, or that both did not go in any order. */
const UNDONE: readonly unknown[] = ["40P01", "40001"];

const isUndone = (error: unknown): boolean =>
  error instanceof Error && "errno" in error && UNDONE.includes(error.errno);

/**
 * Does `work`, a whole transaction, again where the database undid it for the sake of another: nothing of it happened. The pause is by
 * chance, so that the same two do not meet again.
 */
export async function againWhereUndone<T>(clock: Pick<Clock, "sleep">, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries >= TRIES || !isUndone(error)) throw error;
      await clock.sleep(systemRandom() * PAUSE_MS);
    }
}

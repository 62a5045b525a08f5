import type { Clock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";

/** How often a transaction is tried, and how long at most until the next try. */
const TRIES = 3;
const PAUSE_MS = 50;

/**
 * What PostgreSQL says of a transaction that it undid for the sake of another: a deadlock, that both did not go in any order, or that a row
 * stands on one which the other deleted after this one had looked. Done again, it sees so.
 */
const UNDONE: readonly unknown[] = ["40P01", "40001", "23503"];

/** What it says of a statement that waited as long as it may for a row that others hold. */
const HELD: readonly unknown[] = ["55P03"];
/** For so long one try waits for a row, and the first pause between two, each of which is twice as long as the one before. */
const ROW_TRY_MS = 100;
const FIRST_PAUSE_MS = 100;

const says = (error: unknown, codes: readonly unknown[]): boolean =>
  error instanceof Error && "errno" in error && codes.includes(error.errno);

/**
 * Does `work`, a whole transaction, again where the database undid it for the sake of another: nothing of it happened. The pause is by
 * chance, so that the same two do not meet again.
 */
export async function againWhereUndone<T>(clock: Pick<Clock, "sleep">, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries >= TRIES || !says(error, UNDONE)) throw error;
      await clock.sleep(systemRandom() * PAUSE_MS);
    }
}

/**
 * Does `work`, a whole transaction that waits for each row as long as it is told, again while others hold one that it needs, for `ms` in
 * all. In the pauses it has neither a slot nor a connection: those of one site have few, and the others need them for rows that nobody holds.
 */
export async function againWhileHeld<T>(
  clock: Pick<Clock, "monotonic" | "sleep">,
  ms: number,
  work: (rowWaitMs: number) => Promise<T>,
): Promise<T> {
  const end = clock.monotonic() + ms;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      return await work(Math.min(ROW_TRY_MS, ms));
    } catch (error) {
      if (!says(error, HELD) || clock.monotonic() + pause >= end) throw error;
    }
    await clock.sleep(pause);
  }
}

import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";

/** For so long whoever is told waits for those who committed before: a connection may have died with its answer. */
const MOST_MS = 1_000;

/** Does a transaction, which says when its commit is about to be sent, and gives its result in turn. */
export type InOrder = <T>(transact: (committing: () => void) => Promise<T>) => Promise<T>;

/**
 * Gives the results of transactions in the order in which their commits were sent. PostgreSQL lets others have a transaction's rows before
 * it answers its commit, so that the answer of a later one may come first; what memory takes from both would then stay as the former has it.
 */
export function createOrder(clock: Pick<Clock, "after">): InOrder {
  const underWay = new Set<Promise<void>>();
  return async (transact) => {
    let tell = () => {};
    let earlier: Promise<void>[] = [];
    try {
      const result = await transact(() => {
        // Where the database undid the commit before, nobody has to wait for that any more.
        tell();
        earlier = [...underWay];
        const { promise: told, resolve } = Promise.withResolvers<void>();
        underWay.add(told);
        tell = () => {
          underWay.delete(told);
          resolve();
        };
      });
      // Whoever is late is waited for once: others after them wait no more.
      if (earlier.length > 0 && !(await allInTime(clock, earlier))) for (const one of earlier) underWay.delete(one);
      return result;
    } finally {
      tell();
    }
  };
}

async function allInTime(clock: Pick<Clock, "after">, earlier: readonly Promise<void>[]): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.after(MOST_MS, () => resolve(false));
  const isInTime = await Promise.race([Promise.all(earlier).then(() => true), late]);
  cancel();
  // Those who were told just now have their turn first.
  await setImmediate();
  return isInTime;
}

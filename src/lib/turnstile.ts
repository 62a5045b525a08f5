/** Lets through at once, or later: `keyOf` tells whose turn it is, and is asked only where somebody has to wait. */
export type Turnstile = (keyOf: () => string) => Promise<void> | undefined;

/**
 * Lets `perTurn` callers pass in each turn of the event loop: what a crowd brings is then done piece by piece, and whoever comes after it
 * is answered in between. Of those who wait each key has its turn, and those of one key pass in order. The first of a turn pass without
 * waiting.
 */
export function createTurnstile(perTurn: number): Turnstile {
  /** Those who wait, by key; the key that is first goes next. */
  const queues = new Map<string, (() => void)[]>();
  let room = perTurn;

  function next(): (() => void) | undefined {
    for (const [key, queue] of queues) {
      queues.delete(key);
      const admit = queue.shift();
      if (queue.length > 0) queues.set(key, queue);
      return admit;
    }
    return undefined;
  }

  function beginTurn(): void {
    const admitted: (() => void)[] = [];
    while (admitted.length < perTurn) {
      const admit = next();
      if (!admit) break;
      admitted.push(admit);
    }
    room = perTurn - admitted.length;
    if (admitted.length > 0) setImmediate(beginTurn);
    for (const admit of admitted) admit();
  }

  return (keyOf) => {
    if (room === perTurn) setImmediate(beginTurn);
    if (room > 0) {
      room -= 1;
      return undefined;
    }
    const key = keyOf();
    return new Promise((resolve) => {
      const queue = queues.get(key);
      if (queue) queue.push(resolve);
      else queues.set(key, [resolve]);
    });
  };
}

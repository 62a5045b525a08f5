/**
 * Lets `perTurn` callers pass in each turn of the event loop, in order: what a crowd brings is then done piece by piece, and whoever
 * comes after it is answered in between. The first of a turn pass without waiting.
 */
export function createTurnstile(perTurn: number): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let room = perTurn;

  function beginTurn(): void {
    const admitted = waiting.splice(0, perTurn);
    room = perTurn - admitted.length;
    if (admitted.length > 0) setImmediate(beginTurn);
    for (const admit of admitted) admit();
  }

  return () => {
    if (room === perTurn) setImmediate(beginTurn);
    if (room > 0) {
      room -= 1;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
}

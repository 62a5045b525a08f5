/**
 * Lets through at once, or later: `pathOf` tells whose turn it is, the widest part first, such as a provider, a site of it and a network
 * there. It is asked only where somebody has to wait.
 */
export type Turnstile = (pathOf: () => readonly string[]) => Promise<void> | undefined;

/** Those who wait: of nobody's part, and of each part; the one that is first goes next. */
interface Line {
  own: (() => void)[];
  parts: Map<string, Line>;
}

const newLine = (): Line => ({ own: [], parts: new Map() });

/** Takes out who goes next. */
function takeNext(line: Line): (() => void) | undefined {
  for (const [name, part] of line.parts) {
    line.parts.delete(name);
    const admit = takeNext(part);
    if (part.own.length > 0 || part.parts.size > 0) line.parts.set(name, part);
    return admit;
  }
  return line.own.shift();
}

/**
 * Lets `perTurn` callers pass in each turn of the event loop: what a crowd brings is then done piece by piece, and whoever comes after it
 * is answered in between. Of those who wait each part has its turn, in it each of its own, and so on down; those of one pass in order. The
 * first of a turn pass without waiting.
 */
export function createTurnstile(perTurn: number): Turnstile {
  const waiting = newLine();
  let room = perTurn;

  function beginTurn(): void {
    const admitted: (() => void)[] = [];
    while (admitted.length < perTurn) {
      const admit = takeNext(waiting);
      if (!admit) break;
      admitted.push(admit);
    }
    room = perTurn - admitted.length;
    if (admitted.length > 0) setImmediate(beginTurn);
    for (const admit of admitted) admit();
  }

  return (pathOf) => {
    if (room === perTurn) setImmediate(beginTurn);
    if (room > 0) {
      room -= 1;
      return undefined;
    }
    const path = pathOf();
    return new Promise((resolve) => {
      let line = waiting;
      for (const name of path) {
        const part = line.parts.get(name) ?? newLine();
        line.parts.set(name, part);
        line = part;
      }
      line.own.push(resolve);
    });
  };
}

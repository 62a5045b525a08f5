/** Things of many who are parts of something, such as the networks of a provider: who has most can be told to make room. */
export interface Piles<T> {
  /** Adds one of whom a path leads to; gives how to take it away. */
  add(path: readonly string[], one: T): () => void;
  /** How many there are of those whom a path leads to or through; of all for an empty one. */
  count(path: readonly string[]): number;
  /**
   * The newest of who has most: of the part that has most, in it again, and so on down. Where several have as many it is the one that
   * `path` leads through.
   */
  newestOfMost(path: readonly string[]): T | undefined;
  /** The oldest of who has most. */
  oldestOfMost(): T | undefined;
}

interface Pile<T> {
  count: number;
  parts: Map<string, Pile<T>>;
  /** In the order in which they came. */
  own: Set<{ one: T }>;
}

const newPile = <T>(): Pile<T> => ({ count: 0, parts: new Map(), own: new Set() });

/** Makes piles in which there is nothing. */
export function createPiles<T>(): Piles<T> {
  const whole = newPile<T>();

  /** What is of nobody's part where most is, and where several have as much on `path`. */
  function ofMost(path: readonly string[]): Pile<T>["own"] {
    let most = whole;
    let asked: Pile<T> | undefined = whole;
    for (let depth = 0; most.parts.size > 0; depth++) {
      asked = asked?.parts.get(path[depth] ?? "");
      most = mostOf(most.parts.values(), asked);
      if (most !== asked) asked = undefined;
    }
    return most.own;
  }

  return {
    count(path) {
      let pile: Pile<T> | undefined = whole;
      for (const name of path) pile = pile?.parts.get(name);
      return pile?.count ?? 0;
    },
    add(path, one) {
      const added = { one };
      let member = whole;
      const line = path.map((name) => {
        const above = member;
        member = above.parts.get(name) ?? newPile();
        above.parts.set(name, member);
        return { above, name, part: member };
      });
      const { own } = member;
      const count = (more: number) => {
        whole.count += more;
        for (const { part } of line) part.count += more;
      };
      own.add(added);
      count(1);
      return () => {
        if (!own.delete(added)) return;
        count(-1);
        for (const { above, name, part } of line) if (part.count === 0) above.parts.delete(name);
      };
    },
    newestOfMost: (path) => [...ofMost(path)].at(-1)?.one,
    oldestOfMost: () => ofMost([]).values().next().value?.one,
  };
}

function mostOf<T>(parts: Iterable<Pile<T>>, asked: Pile<T> | undefined): Pile<T> {
  let most = asked ?? newPile<T>();
  for (const part of parts) if (part.count > most.count) most = part;
  return most;
}

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
  /** The oldest of who has most of all. */
  oldestOfMost(): T | undefined;
  /** The same of those whom `path` leads to or through, of all for an empty one, and where several have as many that of each of them. */
  oldestOfEachMost(path: readonly string[]): T[];
  /**
   * The oldest of who has most where somebody has more than those whom `path` leads through would have with one more: looked for in the
   * widest part first, in that of `path` again where it is none of them. Undefined where nobody has more.
   */
  oldestOfMore(path: readonly string[]): T | undefined;
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

  /** What is of nobody's part where most of `start` is, and where several have as much on `path`. */
  function ofMost(start: Pile<T>, path: readonly string[]): Pile<T>["own"] {
    let most = start;
    let asked: Pile<T> | undefined = start;
    for (let depth = 0; most.parts.size > 0; depth++) {
      asked = asked?.parts.get(path[depth] ?? "");
      most = mostOf(most.parts.values(), asked);
      if (most !== asked) asked = undefined;
    }
    return most.own;
  }

  function find(path: readonly string[]): Pile<T> | undefined {
    let pile: Pile<T> | undefined = whole;
    for (const name of path) pile = pile?.parts.get(name);
    return pile;
  }

  const oldestIn = (start: Pile<T>): T | undefined => ofMost(start, []).values().next().value?.one;

  /** All who have most in it: of the parts that have most, in each again, and so on down. */
  function allOfMost(start: Pile<T>): Pile<T>[] {
    if (start.parts.size === 0) return [start];
    const most = mostOf(start.parts.values(), undefined).count;
    return [...start.parts.values()].filter(({ count }) => count === most).flatMap(allOfMost);
  }

  return {
    count: (path) => find(path)?.count ?? 0,
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
    newestOfMost: (path) => [...ofMost(whole, path)].at(-1)?.one,
    oldestOfMost: () => oldestIn(whole),
    oldestOfEachMost(path) {
      const start = find(path);
      const all = start === undefined ? [] : allOfMost(start);
      return all.flatMap(({ own }) => own.values().next().value?.one ?? []);
    },
    oldestOfMore(path) {
      let pile: Pile<T> | undefined = whole;
      for (const name of path) {
        if (pile === undefined) return undefined;
        const asked: Pile<T> | undefined = pile.parts.get(name);
        const most = mostOf(pile.parts.values(), asked);
        if (most.count > (asked?.count ?? 0) + 1) return oldestIn(most);
        pile = asked;
      }
      return undefined;
    },
  };
}

function mostOf<T>(parts: Iterable<Pile<T>>, asked: Pile<T> | undefined): Pile<T> {
  let most = asked ?? newPile<T>();
  for (const part of parts) if (part.count > most.count) most = part;
  return most;
}

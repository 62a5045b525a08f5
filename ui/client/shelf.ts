/** Things by their key, made when they are first asked for. */
export interface Shelf<T> {
  /** The thing of this key; one that `lasts` is never forgotten. */
  take: (key: string, make: () => T, options: { lasts: boolean }) => T;
  /** Keeps a thing on the shelf, also one that does not last, until the returned function is called. */
  hold: (thing: T) => () => void;
  clear: () => void;
}

/** Makes a shelf. Of the things that do not last and that nobody holds it keeps only so many: those that were asked for last. */
export function createShelf<T>(atMost: number): Shelf<T> {
  const items = new Map<string, { thing: T; lasts: boolean }>();
  const holders = new Map<T, number>();

  function forgetOldest(): void {
    const loose = [...items].filter(([, { thing, lasts }]) => !lasts && !holders.has(thing));
    for (const [key] of loose.slice(0, Math.max(0, loose.length - atMost))) items.delete(key);
  }

  return {
    take(key, make, { lasts }) {
      const known = items.get(key);
      if (known !== undefined) {
        // The map is kept in the order of the last request, so the oldest are at its beginning.
        items.delete(key);
        items.set(key, known);
        return known.thing;
      }
      const thing = make();
      items.set(key, { thing, lasts });
      forgetOldest();
      return thing;
    },
    hold(thing) {
      holders.set(thing, (holders.get(thing) ?? 0) + 1);
      return () => {
        const left = (holders.get(thing) ?? 0) - 1;
        if (left > 0) holders.set(thing, left);
        else holders.delete(thing);
      };
    },
    clear: () => items.clear(),
  };
}

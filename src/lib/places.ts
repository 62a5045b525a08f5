/** How many of something may be there at a time, of one owner: `key` names the owner. */
export interface PlaceLimit {
  key: string;
  most: number;
}

/** Places that are counted for several owners at once: an account, its workspace and the whole program. */
export interface Places {
  /** Takes one place of each. Gives the way to give them back, or, with nothing taken, the first limit that is reached. */
  take<Limit extends PlaceLimit>(limits: readonly Limit[]): { full: null; give(): void } | { full: Limit };
}

/** Makes places of which none is taken. */
export function createPlaces(): Places {
  const taken = new Map<string, number>();
  const count = (key: string): number => taken.get(key) ?? 0;

  function add(key: string, by: number): void {
    const next = count(key) + by;
    if (next === 0) taken.delete(key);
    else taken.set(key, next);
  }

  return {
    take(limits) {
      const full = limits.find(({ key, most }) => count(key) >= most);
      if (full) return { full };
      for (const { key } of limits) add(key, 1);
      let isGiven = false;
      return {
        full: null,
        give() {
          if (isGiven) return;
          isGiven = true;
          for (const { key } of limits) add(key, -1);
        },
      };
    },
  };
}

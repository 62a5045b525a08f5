/** How many of something may be there at a time, of one owner: `key` names the owner. */
export interface PlaceLimit {
  key: string;
  most: number;
}

/** Places that are counted for several owners at once: an account, its workspace and the whole program. */
export interface Places {
  /** Takes one place of each. Gives the way to give them back, or, with nothing taken, the first limit that is reached. */
  take<Limit extends PlaceLimit>(limits: readonly Limit[]): { full: null; give(): void } | { full: Limit };
  /** The first limit that is reached; null where there is a place of each. */
  check<Limit extends PlaceLimit>(limits: readonly Limit[]): Limit | null;
  /** How many are taken of an owner. */
  count(key: string): number;
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

  const check: Places["check"] = (limits) => limits.find(({ key, most }) => count(key) >= most) ?? null;

  return {
    check,
    count,
    take(limits) {
      const full = check(limits);
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

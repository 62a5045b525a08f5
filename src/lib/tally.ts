/** Counts what goes on for each key at a time. */
export interface Tally {
  /** Counts one more, until the function is called; null where there are as many as there may be. */
  enter(key: string): (() => void) | null;
}

/** Lets at most `max` go on for each key. */
export function createTally(max: number): Tally {
  const counts = new Map<string, number>();
  return {
    enter(key) {
      const before = counts.get(key) ?? 0;
      if (before >= max) return null;
      counts.set(key, before + 1);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
}

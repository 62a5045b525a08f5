/** Those who read a store as a whole, file by file: while there are any, none of its files goes or moves. */
export interface Pins {
  /** Resolves when what was being tidied is through; what it answers lets go, once. */
  hold(): Promise<() => void>;
  isHeld(): boolean;
  /** Answers the same, and lets whoever pins meanwhile wait for it. */
  watch<Result>(tidying: Promise<Result>): Promise<Result>;
}

/** Nobody holds yet. `onFree` is called whenever the last one lets go. */
export function createPins(onFree: () => void): Pins {
  const held = new Set<symbol>();
  const under = new Set<Promise<unknown>>();
  return {
    async hold() {
      const pin = Symbol("pin");
      held.add(pin);
      await Promise.allSettled(under);
      return () => {
        if (held.delete(pin) && held.size === 0) onFree();
      };
    },
    isHeld: () => held.size > 0,
    async watch(tidying) {
      under.add(tidying);
      try {
        return await tidying;
      } finally {
        under.delete(tidying);
      }
    },
  };
}

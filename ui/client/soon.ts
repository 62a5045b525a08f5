/** Something that is done a moment after it is asked for. */
export interface Soon {
  /** However often it is asked for until then, it is done once; nobody who goes on asking puts it off. */
  ask: () => void;
  /** Drops what is not done yet. */
  stop: () => void;
}

/** Makes one; `after` starts a timer and returns the way to stop it. */
export function createSoon(work: () => void, after: (run: () => void) => () => void): Soon {
  let stop: (() => void) | null = null;
  return {
    ask() {
      stop ??= after(() => {
        stop = null;
        work();
      });
    },
    stop() {
      stop?.();
      stop = null;
    },
  };
}

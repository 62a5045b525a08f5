const SIGKILL_EXIT = 137;

/** Tells whether a container that died was killed for want of memory. */
export interface OomJudge {
  /** `wasKilled`: somebody asked the engine to kill it. Call once for every death, in order. */
  isOom(exitCode: number, wasKilled: boolean): boolean;
}

/**
 * The engine loses the kernel's word when a container dies at once (seen on 20.10), so the kernel's own counter is asked:
 * it has moved since the last death, and nobody sent this one a SIGKILL.
 */
export function createOomJudge(read: () => number): OomJudge {
  let last = read();
  return {
    isOom(exitCode, wasKilled) {
      const now = read();
      const hasMoved = now > last;
      last = now;
      return hasMoved && exitCode === SIGKILL_EXIT && !wasKilled;
    },
  };
}

import { type Clock, systemClock } from "./clock.ts";

/** So long others wait at most while somebody works. */
const WORK_MS = 20;

/** For work in many small pieces: called between two of them, it says what to wait for where others should go first by now. */
export function createBreaks(monotonic: Clock["monotonic"] = systemClock.monotonic): () => Promise<void> | undefined {
  let begun = monotonic();
  return () => {
    if (monotonic() - begun < WORK_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        begun = monotonic();
        resolve();
      }),
    );
  };
}

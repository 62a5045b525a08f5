import type { Clock } from "../../../lib/clock.ts";

/** Waits until so many more bytes may travel. Whoever asks first goes first. */
export type Pace = (bytes: number) => Promise<void>;

/** So much may travel at once, as a part of what may in a second: a longer pause makes up for nothing. */
const BURST_SECONDS = 0.25;
/** What travels at a time where there is a limit, so that it is kept in every second and not on average alone. */
export const PACED_BYTES = 64 * 1024;

/** At most so many bytes a second, in both directions together. */
export function createPace(bytesPerSecond: number, clock: Pick<Clock, "monotonic" | "sleep">): Pace {
  /** When all that was asked for so far will have travelled. */
  let busyUntil = clock.monotonic();
  return async (bytes) => {
    const now = clock.monotonic();
    busyUntil = Math.max(busyUntil, now - BURST_SECONDS * 1000) + (bytes / bytesPerSecond) * 1000;
    if (busyUntil > now) await clock.sleep(busyUntil - now);
  };
}

/** Bytes in the pieces that they travel in, each as soon as it may. */
export async function* paced(bytes: Uint8Array, pace: Pace): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PACED_BYTES) {
    const piece = bytes.subarray(from, from + PACED_BYTES);
    await pace(piece.length);
    yield piece;
  }
}

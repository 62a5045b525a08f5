import { minutes, seconds } from "../../../../lib/duration.ts";

const PAUSES = [1, 2, 5, 10, 30, 60, 120].map(seconds);
const LONGEST_MS = minutes(5);
/** Up to so much is added, so that many who lost the same receiver do not come back together. */
const JITTER = 0.25;

/** Milliseconds until the next attempt after so many failures in a row; what the receiver asks for only lengthens it. */
export function pauseAfter(failures: number, retryAfterMs: number | null, random: () => number): number {
  const pause = (PAUSES[failures - 1] ?? LONGEST_MS) * (1 + JITTER * random());
  return Math.round(Math.max(pause, retryAfterMs ?? 0));
}

/** Times that the same lines are sent to a receiver that refuses them, before they are given up: those behind them wait. */
export const MOST_REFUSALS = 3;

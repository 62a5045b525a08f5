import { minutes, seconds } from "../../lib/duration.ts";

const JITTER = 0.1;

/** Seconds between heartbeats by size of the fleet: never above 60, for a node is late after 90. */
export function heartbeatSeconds(nodes: number): number {
  if (nodes <= 10_000) return 20;
  return nodes <= 50_000 ? 30 : 60;
}

/** One node's own interval: ±10 %, at most 60 seconds, so that a fleet that started together spreads out. */
export function spreadSeconds(interval: number, random: () => number): number {
  const spread = interval * (1 - JITTER + 2 * JITTER * random());
  return Math.min(60, Math.round(spread * 10) / 10);
}

const FIRST_RETRY_MS = seconds(2);
/** A node is late after 90 seconds, so one that can come back must not wait longer. */
export const LONGEST_RETRY_MS = minutes(1);
const MAX_DOUBLINGS = 10;

/** How long to wait after the `failures`-th failed contact in a row (1 for the first), milliseconds; spread by half. */
export function retryMs(failures: number, random: () => number): number {
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
  return Math.min(doubled, LONGEST_RETRY_MS) * (0.5 + random() / 2);
}

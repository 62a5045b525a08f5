import { days, hours, minutes } from "../../lib/duration.ts";

/** The contract: a node renews when less than this is left of its certificate. */
const RENEW_BELOW_MS = days(30);
/** Nodes enrolled together do not come back together. */
const MAX_OFFSET_DAYS = 5;
const JITTER_MS = hours(24);
const FIRST_RETRY_MS = minutes(1);
const LONGEST_RETRY_MS = hours(6);
/** Ten doublings are past the longest wait. */
const MAX_DOUBLINGS = 10;

/**
 * When to renew a certificate that ends at `notAfter` (milliseconds): 30 days before, later by a whole offset of 0 to 5
 * days and up to a day of jitter. `random` gives numbers in [0, 1); ask once per certificate and keep the answer.
 */
export function renewalTime(notAfter: number, random: () => number): number {
  const offset = days(Math.floor(random() * (MAX_OFFSET_DAYS + 1)));
  return notAfter - RENEW_BELOW_MS + offset + Math.floor(random() * JITTER_MS);
}

/** How long to wait after the `failures`-th failed renewal in a row (1 for the first), milliseconds. */
export function renewalRetry(failures: number, random: () => number): number {
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
  return Math.min(doubled, LONGEST_RETRY_MS) * (0.5 + random() / 2);
}

import { days, hours, minutes, seconds } from "../../../../lib/duration.ts";

/** Everything for one channel within this time is one message. */
export const GROUP_MS = seconds(5);
/** How long a notice is tried at least before it is given up, and how often. */
export const KEPT_MS = days(1);
export const MIN_ATTEMPTS = 20;
/** Failures in a row after which others are told. */
export const FAILURES_TO_TELL = 3;
/** After so many refusals in a row another notice is tried, to learn whether the first one alone is the cause. */
export const MAX_REFUSALS = 5;
/** Notices in one message; what a provider cannot show of them it counts. */
export const MAX_NOTICES = 100;
/** A message this old says that it is late. */
const LATE_MS = minutes(2);

const DELAYS = [seconds(10), minutes(1), minutes(5), minutes(15), hours(1)];

/** No channel waits for longer, whatever its provider asks for. */
const LONGEST_MS = days(1);

/** What a provider asks for, in whole milliseconds within what is granted; null where it asks for nothing. */
export function grantWait(askedMs: number | null): number | null {
  return askedMs === null ? null : Math.min(LONGEST_MS, Math.max(0, Math.ceil(askedMs)));
}

/** Milliseconds until the next attempt after `failures` in a row; what the provider was granted only lengthens it. */
export function retryDelay(failures: number, grantedMs: number | null): number {
  const delay = DELAYS[Math.min(failures, DELAYS.length) - 1] ?? 0;
  return Math.max(delay, grantedMs ?? 0);
}

/** True when a time has come; one that is further off than any delay was set by a clock that has been put right since. */
export function isDue(at: number, now: number): boolean {
  return at <= now || at > now + LONGEST_MS;
}

/** True when a notice is old enough that its message says so. */
export const isLate = (queuedAt: number, now: number): boolean => now - queuedAt > LATE_MS;

import type { Level } from "../contract.ts";

/** One line that somebody wrote. */
export interface FollowedLine {
  /** The log it stands in: `system`, or `docker:` with the name of a container. */
  from: string;
  /** ISO 8601 in UTC, to the nanosecond at most; null where nobody knows. */
  at: string | null;
  /** Who wrote it: a unit, a program, a stream of a container. */
  source: string | null;
  level: Level | null;
  text: string;
}

/** Where reading begins: one moment for all logs, or one for each. */
export type Since = string | Readonly<Record<string, string>>;

/** Every line of all logs from a moment on, and then each new one, until the signal aborts. Asks for no more than is taken from it. */
export type FollowLogs = (since: Since, signal: AbortSignal) => AsyncIterable<FollowedLine>;

/** A line as it waits on disk; when it was written is known by then. */
export interface WaitingLine {
  at: string;
  source: string;
  level: Level | null;
  text: string;
}

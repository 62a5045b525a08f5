import type { Clock } from "./clock.ts";
import { hours, minutes } from "./duration.ts";

/** A terminal at which nobody types ends. */
export const IDLE_MS = minutes(15);
/** And every one does after this. */
export const HARD_LIMIT_MS = hours(2);
const WARNING_MS = minutes(1);

/** Why its time was over. */
export type TimeEnd = "idle" | "too_long";

/** How long a terminal may stay open: as long as somebody types, and never longer than two hours. */
export interface TimeLimits {
  readonly over: Promise<TimeEnd>;
  /** Begins the idle time anew. */
  typed(): void;
  stop(): void;
}

/** Starts to count; `warn` is told a minute before each end. */
export function createTimeLimits(clock: Clock, warn: (reason: TimeEnd, endsInS: number) => void): TimeLimits {
  const { promise: over, resolve } = Promise.withResolvers<TimeEnd>();
  const count = (reason: TimeEnd, ms: number): (() => void)[] => [
    clock.after(ms - WARNING_MS, () => warn(reason, WARNING_MS / 1000)),
    clock.after(ms, () => resolve(reason)),
  ];
  const hard = count("too_long", HARD_LIMIT_MS);
  let idle = count("idle", IDLE_MS);
  return {
    over,
    typed() {
      for (const cancel of idle) cancel();
      idle = count("idle", IDLE_MS);
    },
    stop() {
      for (const cancel of [...idle, ...hard]) cancel();
    },
  };
}

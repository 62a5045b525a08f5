import { type Clock, systemClock } from "../../src/lib/clock.ts";

/** The host's clock, on which so many times as much time passes: for what waits seconds in earnest for others that are real. */
export const quickClock = (times: number): Clock => ({
  ...systemClock,
  monotonic: () => systemClock.monotonic() * times,
  sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  after: (ms, fn) => systemClock.after(ms / times, fn),
  every: (ms, fn) => systemClock.every(ms / times, fn),
});

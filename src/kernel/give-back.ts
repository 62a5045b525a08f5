import type { Job } from "./jobs.ts";

/** Work ends in the look after its last request: what it left goes 20 to 45 seconds later. */
const LOOK_MS = 20_000;
/** Requests between two looks that are nobody's visit: a health check, a scrape of metrics. */
const FEW = 10;

/**
 * A job that gives memory back when work is over, and once after the start. What a program compiled and keeps ready for those
 * who ask is a fifth of its memory, and useless while nobody does; the runtime itself collects only when new memory is asked
 * for. It costs 30 ms in which nobody waits, and the next visit the warming up that the first one had.
 */
export function giveBackWhenQuiet(requests: () => number, shrink: () => void): Job {
  let before = 0;
  let hasWorked = true;
  return {
    name: "give memory back",
    everyMs: LOOK_MS,
    run() {
      const now = requests();
      const isQuiet = now - before <= FEW;
      before = now;
      if (isQuiet && hasWorked) shrink();
      hasWorked = !isQuiet;
    },
  };
}

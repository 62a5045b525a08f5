import type { Clock } from "./clock.ts";
import { createFairSlots, type SlotPath, type SlotRules } from "./fair-slots.ts";
import { createPiles } from "./piles.ts";
import { createPlaces, type PlaceLimit } from "./places.ts";

/** For whom a task is done. */
export interface Asker {
  path: SlotPath;
  /** How many of them may wait; null for the program itself, which is never refused. */
  limit: PlaceLimit | null;
  /** Aborts when nobody listens any more; null where that cannot be told. */
  left: AbortSignal | null;
}

/** How many tasks there may be, and what is said to those who have to come again. */
export interface QueueRules extends Pick<SlotRules, "mostOfPart">, Partial<Pick<SlotRules, "spare" | "weightOf">> {
  /** So many run at a time. */
  size: number;
  /** So many wait in all: networks are cheap to come by. */
  most: number;
  /** Whoever waits for longer is sent away. */
  patienceMs: number;
  refuse(): Error;
}

/**
 * Runs a task when it is its turn; gives what the task gives. Throws what the rules say when too many wait, or it waited for too long; what
 * nobody listens for any more is not run.
 */
export type FairQueue = <T>(asker: Asker, task: () => Promise<T>) => Promise<T>;

/**
 * Runs tasks in fair slots, and bounds what waits for one. Where all places are taken, the newest of who has most makes room, by the same
 * path as the slots go: so who comes with ever new networks of one provider takes the places of nobody else.
 */
export function createFairQueue(
  clock: Pick<Clock, "monotonic" | "after">,
  { size, most, patienceMs, refuse, spare = 0, weightOf = () => 1, ...parts }: QueueRules,
): FairQueue {
  const inSlot = createFairSlots(clock, { size, spare, weightOf, ...parts });
  const places = createPlaces();
  /** How to send away each of those that wait. */
  const waiting = createPiles<() => void>();

  return async ({ path, limit, left }, task) => {
    if (limit === null) return inSlot(path, task);
    const taken = places.take([limit]);
    if (taken.full) throw refuse();
    const { give } = taken;
    const stop = new AbortController();
    const takeAway = waiting.add(path, sendAway);
    const cancel = clock.after(patienceMs, sendAway);
    function endWait(): void {
      give();
      takeAway();
      cancel();
      left?.removeEventListener("abort", sendAway);
    }
    function sendAway(): void {
      endWait();
      stop.abort(refuse());
    }
    left?.addEventListener("abort", sendAway);
    if (left?.aborted) sendAway();
    else if (waiting.count([]) > most) waiting.newestOfMost(path)?.();
    try {
      return await inSlot(
        path,
        () => {
          endWait();
          return task();
        },
        stop.signal,
      );
    } finally {
      endWait();
    }
  };
}

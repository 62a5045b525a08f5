/** Who waits for the hash of a password: nobody has to stand behind all that others ask for. */
import { networkOf, networksAround } from "../../kernel/http/peer.ts";
import { tooManyRequests } from "../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { createFairSlots, type SlotPath } from "../../lib/fair-slots.ts";
import { createPiles } from "../../lib/piles.ts";
import { createPlaces, type PlaceLimit } from "../../lib/places.ts";

/** For whom a password is hashed. */
export interface Asker {
  path: SlotPath;
  /** How many of them may wait; null for the program itself, which is never refused. */
  limit: PlaceLimit | null;
  /** Aborts when nobody listens any more; null where that cannot be told. */
  left: AbortSignal | null;
}

/** Whoever is signed in needs one at a time, and an office signs in from one network. */
const WAITING = { ofAccount: 5, ofNetwork: 20 };
/** How many may wait in all: networks are cheap to come by. */
const ALL_MAX = 1_000;
/** Nobody looks longer at a page that does nothing. */
const PATIENCE_MS = seconds(20);

function asker(group: string, ip: string, id: string | null, most: number, left: AbortSignal | null): Asker {
  const path: SlotPath = [group, ...networksAround(ip), ...(id === null ? [] : [id])];
  return { path, limit: { key: `${group} ${id ?? networkOf(ip)}`, most }, left };
}

/** For an account that is signed in. */
export const forAccount = (id: string, ip: string, left: AbortSignal | null = null): Asker =>
  asker("signed in", ip, id, WAITING.ofAccount, left);

/**
 * For whoever is not signed in but no stranger: they come from where an account signed in before, with its device, or by a link that was
 * given to them. `id` tells those of one network apart where nobody can make it up.
 */
export const forKnown = (id: string | null, ip: string, left: AbortSignal | null = null): Asker =>
  asker("known", ip, id, WAITING.ofNetwork, left);

/** For whoever comes from an address and is not signed in; a network counts as one. */
export const forVisitor = (ip: string, left: AbortSignal | null = null): Asker =>
  asker("strangers", ip, null, WAITING.ofNetwork, left);

/** For the program itself, as its command line asks it. */
export const FOR_PROGRAM: Asker = { path: ["program"], limit: null, left: null };

/**
 * Runs a task when it is its turn; gives what the task gives. Throws `too_many_requests` when too many wait, or it waited for too long;
 * what nobody listens for any more is not run.
 */
export type HashQueue = <T>(asker: Asker, task: () => Promise<T>) => Promise<T>;

/**
 * Runs `size` tasks at a time. Who is signed in, who is known, strangers and the program itself have equal shares; in each of them every
 * provider has, in it every network, and in that every account. Of one account or network only a few may wait. Where all places are taken,
 * the newest of who has most makes room, by the same order: so strangers take no place from the others, and who comes with ever new
 * networks of one provider takes those of nobody else.
 */
export function createHashQueue(clock: Pick<Clock, "monotonic" | "after">, size: number): HashQueue {
  const inSlot = createFairSlots(clock, { size, spare: 0, weightOf: () => 1 });
  const places = createPlaces();
  /** How to send away each of those that wait. */
  const waiting = createPiles<() => void>();

  return async ({ path, limit, left }, task) => {
    if (limit === null) return inSlot(path, task);
    const taken = places.take([limit]);
    if (taken.full) throw tooManyRequests(1);
    const { give } = taken;
    const stop = new AbortController();
    const takeAway = waiting.add(path, sendAway);
    const cancel = clock.after(PATIENCE_MS, sendAway);
    function endWait(): void {
      give();
      takeAway();
      cancel();
      left?.removeEventListener("abort", sendAway);
    }
    function sendAway(): void {
      endWait();
      stop.abort(tooManyRequests(1));
    }
    left?.addEventListener("abort", sendAway);
    if (left?.aborted) sendAway();
    else if (waiting.count([]) > ALL_MAX) waiting.newestOfMost(path)?.();
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

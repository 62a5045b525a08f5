/** Who waits for the hash of a password: nobody has to stand behind all that others ask for. */
import { networkOf } from "../../kernel/http/peer.ts";
import { tooManyRequests } from "../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../lib/clock.ts";
import { createFairSlots } from "../../lib/fair-slots.ts";
import type { Whose } from "../../lib/fair-turns.ts";

const SIGNED_IN = "signed in";
const STRANGERS = "strangers";

/** For an account that is signed in. */
export const forAccount = (id: string): Whose => [SIGNED_IN, id];
/** For whoever comes from an address and is not signed in; a network counts as one. */
export const forVisitor = (ip: string): Whose => [STRANGERS, networkOf(ip)];
/** For the program itself, as its command line asks it. */
export const FOR_PROGRAM: Whose = ["program", ""];

/** How many of one may wait: whoever is signed in needs one at a time, and an office signs in from one network. */
const WAITING: Readonly<Record<string, number>> = { [SIGNED_IN]: 5, [STRANGERS]: 20 };
/** How many may wait in all: networks are cheap to come by. */
const ALL_MAX = 1_000;

/** Runs a task when it is its turn; gives what the task gives. Throws `too_many_requests` when too many wait. */
export type HashQueue = <T>(whose: Whose, task: () => Promise<T>) => Promise<T>;

/**
 * Runs `size` tasks at a time. Who is signed in, strangers and the program itself have equal shares, and in each of them every account or
 * network has. Of one of these only a few may wait.
 */
export function createHashQueue(clock: Pick<Clock, "monotonic">, size: number): HashQueue {
  const inSlot = createFairSlots(clock, { size, spare: 0, weightOf: () => 1 });
  const waits = new Map<string, number>();
  let all = 0;

  function count(key: string, more: number): void {
    const sum = (waits.get(key) ?? 0) + more;
    all += more;
    if (sum === 0) waits.delete(key);
    else waits.set(key, sum);
  }

  return async (whose, task) => {
    const key = whose.join("\n");
    const limit = WAITING[whose[0]];
    if (limit !== undefined && ((waits.get(key) ?? 0) >= limit || all >= ALL_MAX)) throw tooManyRequests(1);
    count(key, 1);
    return inSlot(whose, () => {
      count(key, -1);
      return task();
    });
  };
}

/** Who waits for the hash of a password: nobody has to stand behind all that others ask for. */
import { networkOf, networksAround } from "../../kernel/http/peer.ts";
import { tooManyRequests } from "../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { type Asker, createFairQueue, type FairQueue } from "../../lib/fair-queue.ts";
import type { SlotPath } from "../../lib/fair-slots.ts";

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
 * Runs `size` tasks at a time. Who is signed in, who is known, strangers and the program itself have equal shares; in each of them every
 * provider has, in it every network, and in that every account. Of one account or network only a few may wait. Where all places are taken,
 * the newest of who has most makes room, by the same order: so strangers take no place from the others, and who comes with ever new
 * networks of one provider takes those of nobody else. Throws `too_many_requests`.
 */
export const createHashQueue = (clock: Pick<Clock, "monotonic" | "after">, size: number): FairQueue =>
  createFairQueue(clock, { size, most: ALL_MAX, patienceMs: PATIENCE_MS, refuse: () => tooManyRequests(1) });

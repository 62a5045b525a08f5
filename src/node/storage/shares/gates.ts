import { createLimiter, createSharedLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeAll } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";

/** Networks that had the right password of a link, and for how long that is remembered. */
const MAX_KNOWN = 10_000;
const KNOWN_MS = days(30);

/** How often strangers may try. */
export interface Gates {
  /** Counts an address that opens nothing. Throws `too_many_requests`. */
  guess(ip: string): void;
  /**
   * Counts a password that is tried; the function gives it back after a right one, and from then on others who try keep this network
   * out of the link no more. Throws `too_many_requests`.
   */
  tryPassword(share: { id: string; user_id: string }, ip: string): () => void;
  /** Counts a file that is put in. Throws `too_many_requests`. */
  upload(shareId: string, ip: string): void;
  /** Counts a chunk of a large file. Throws `too_many_requests`. */
  chunk(shareId: string, ip: string): void;
}

/** By network, by link, by whoever made the link, and by all together. */
export function createGates(clock: Clock): Gates {
  const guesses = createLimiter(clock, 30, minutes(15));
  const guessesOfAll = createLimiter(clock, 1_000, minutes(15));
  const triesOfNetwork = createLimiter(clock, 10, minutes(15));
  const triesOfShare = createLimiter(clock, 50, hours(1));
  // Whoever makes many links, and knows all of them, uses up no more than this of what is for everybody.
  const triesOfMaker = createLimiter(clock, 150, minutes(15));
  // Each is a slow hash. What others use up leaves the first of each network.
  const triesOfAll = createSharedLimiter(clock, { max: 600, ownMax: 3 }, minutes(15));
  const known = createSharedMap<true>(clock, { size: MAX_KNOWN, ttlMs: KNOWN_MS });
  const filesOfNetwork = createLimiter(clock, 500, hours(1));
  const filesOfShare = createLimiter(clock, 2_000, hours(1));
  const filesOfAll = createLimiter(clock, 10_000, hours(1));
  // Of six megabytes each.
  const chunksOfNetwork = createLimiter(clock, 4_000, hours(1));
  const chunksOfShare = createLimiter(clock, 8_000, hours(1));
  const chunksOfAll = createLimiter(clock, 16_000, hours(1));
  return {
    guess: (ip) =>
      takeAll([
        [guesses, networkOf(ip)],
        [guessesOfAll, ""],
      ]),
    tryPassword({ id, user_id }, ip) {
      const network = networkOf(ip);
      const key = `${id} ${network}`;
      const ofNetwork: [Limiter, string] = [triesOfNetwork, network];
      const isKnown = known.get(key) !== null;
      const own: readonly [Limiter, string][] = isKnown
        ? [ofNetwork]
        : [ofNetwork, [triesOfShare, id], [triesOfMaker, user_id]];
      takeAll(isKnown ? own : [...own, [triesOfAll, network]]);
      return () => {
        for (const [limiter, key] of own) limiter.giveBack(key);
        known.set(key, true, [user_id, id]);
      };
    },
    upload: (shareId, ip) =>
      takeAll([
        [filesOfNetwork, networkOf(ip)],
        [filesOfShare, shareId],
        [filesOfAll, ""],
      ]),
    chunk: (shareId, ip) =>
      takeAll([
        [chunksOfNetwork, networkOf(ip)],
        [chunksOfShare, shareId],
        [chunksOfAll, ""],
      ]),
  };
}

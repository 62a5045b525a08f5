import {
  createBucketLimiter,
  createLimiter,
  createSharedBucket,
  createSharedLimiter,
  type Limiter,
} from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { type Counted, checkAll, takeAll, takeOne } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";

/** Networks that had the right password of a link, and for how long that is remembered. */
const MAX_KNOWN = 10_000;
const KNOWN_MS = days(30);

/** A chunk that is smaller counts as this part of a whole one: writing it down is work as well. */
const LEAST_PART = 1 / 8;

/** A link, and who made it. */
interface Made {
  id: string;
  user_id: string;
}

/** How often strangers may try. What comes to nothing counts for the network alone that it came from. */
export interface Gates {
  /** Counts an address that opens nothing. Throws `too_many_requests`. */
  guess(ip: string): void;
  /**
   * Counts a password that is tried; the function gives it back after a right one, and from then on others who try keep this network
   * out of the link no more. Throws `too_many_requests`.
   */
  tryPassword(share: Made, ip: string): () => void;
  /**
   * Counts for a network that it comes with a file; the function puts it in, which counts for the others where that succeeds. Both
   * throw `too_many_requests`.
   */
  upload(share: Made, ip: string): <Put>(put: () => Promise<Put>) => Promise<Put>;
  /**
   * Counts for a network that it comes with a chunk of a large file, which is that part of a whole one; the function counts it for the
   * others. Both throw `too_many_requests`.
   */
  chunk(share: Made, ip: string, part: number): () => void;
}

/** By network, by link, by whoever made the link, and by all together. */
export function createGates(clock: Clock): Gates {
  const guesses = createLimiter(clock, 30, minutes(15));
  // What others use up leaves the first of each network.
  const guessesOfAll = createSharedLimiter(clock, { max: 1_000, ownMax: 3 }, minutes(15));
  const triesOfNetwork = createLimiter(clock, 10, minutes(15));
  const triesOfShare = createLimiter(clock, 50, hours(1));
  // Whoever makes many links, and knows all of them, uses up no more than this of what is for everybody.
  const triesOfMaker = createLimiter(clock, 150, minutes(15));
  // Each is a slow hash. What others use up leaves the first of each network.
  const triesOfAll = createSharedLimiter(clock, { max: 600, ownMax: 3 }, minutes(15));
  const known = createSharedMap<true>(clock, { size: MAX_KNOWN, ttlMs: KNOWN_MS });
  const filesOfNetwork = createLimiter(clock, 500, hours(1));
  const filesOfShare = createLimiter(clock, 2_000, hours(1));
  const filesOfMaker = createLimiter(clock, 5_000, hours(1));
  // What the links of others use up leaves those of each account this much.
  const filesOfAll = createSharedLimiter(clock, { max: 10_000, ownMax: 500 }, hours(1));
  const chunksOfNetwork = createLimiter(clock, 4_000, hours(1));
  // Of six megabytes each: by what comes, so that nobody uses them up with little.
  const chunksOfShare = createBucketLimiter(clock, 8_000 / 3_600, 8_000);
  const chunksOfMaker = createBucketLimiter(clock, 12_000 / 3_600, 12_000);
  const chunksOfAll = createSharedBucket(clock, { max: 16_000, ownMax: 2_000 });
  return {
    guess: (ip) =>
      takeAll([
        [guesses, networkOf(ip)],
        [guessesOfAll, networkOf(ip)],
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
    upload({ id, user_id }, ip) {
      const counted: Counted = [
        [filesOfShare, id],
        [filesOfMaker, user_id],
        [filesOfAll, user_id],
      ];
      takeOne(filesOfNetwork, networkOf(ip));
      checkAll(counted);
      return async (put) => {
        checkAll(counted);
        const made = await put();
        for (const [limiter, key] of counted) limiter.take(key);
        return made;
      };
    },
    chunk({ id, user_id }, ip, part) {
      const cost = Math.max(part, LEAST_PART);
      const counted: Counted = [
        [chunksOfShare, id],
        [chunksOfMaker, user_id],
        [chunksOfAll, user_id],
      ];
      takeOne(chunksOfNetwork, networkOf(ip));
      checkAll(counted, cost);
      return () => takeAll(counted, cost);
    },
  };
}

import { kernelFail } from "../../../kernel/http/errors.ts";
import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hours, minutes } from "../../../lib/duration.ts";

/** How often strangers may try. */
export interface Gates {
  /** Counts an address that opens nothing. Throws `too_many_requests`. */
  guess(ip: string): void;
  /** Counts a password that is tried; the function gives it back after a right one. Throws `too_many_requests`. */
  tryPassword(shareId: string, ip: string): () => void;
  /** Counts a file that is put in. Throws `too_many_requests`. */
  upload(shareId: string, ip: string): void;
  /** Counts a chunk of a large file. Throws `too_many_requests`. */
  chunk(shareId: string, ip: string): void;
}

function takeAll(counted: readonly [Limiter, string][]): () => void {
  const wait = Math.max(...counted.map(([limiter, key]) => limiter.check(key)));
  if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  for (const [limiter, key] of counted) limiter.take(key);
  return () => {
    for (const [limiter, key] of counted) limiter.giveBack(key);
  };
}

/** By network, by link, and by all together. */
export function createGates(clock: Clock): Gates {
  const guesses = createLimiter(clock, 30, minutes(15));
  const guessesOfAll = createLimiter(clock, 1_000, minutes(15));
  const triesOfNetwork = createLimiter(clock, 10, minutes(15));
  const triesOfShare = createLimiter(clock, 50, hours(1));
  const triesOfAll = createLimiter(clock, 300, minutes(15));
  const filesOfNetwork = createLimiter(clock, 500, hours(1));
  const filesOfShare = createLimiter(clock, 2_000, hours(1));
  const filesOfAll = createLimiter(clock, 10_000, hours(1));
  // Of six megabytes each.
  const chunksOfNetwork = createLimiter(clock, 4_000, hours(1));
  const chunksOfShare = createLimiter(clock, 8_000, hours(1));
  const chunksOfAll = createLimiter(clock, 16_000, hours(1));
  return {
    guess: (ip) =>
      void takeAll([
        [guesses, networkOf(ip)],
        [guessesOfAll, ""],
      ]),
    tryPassword: (shareId, ip) =>
      takeAll([
        [triesOfNetwork, networkOf(ip)],
        [triesOfShare, shareId],
        [triesOfAll, ""],
      ]),
    upload: (shareId, ip) =>
      void takeAll([
        [filesOfNetwork, networkOf(ip)],
        [filesOfShare, shareId],
        [filesOfAll, ""],
      ]),
    chunk: (shareId, ip) =>
      void takeAll([
        [chunksOfNetwork, networkOf(ip)],
        [chunksOfShare, shareId],
        [chunksOfAll, ""],
      ]),
  };
}

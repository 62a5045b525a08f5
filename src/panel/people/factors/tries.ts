import { kernelFail } from "../../../kernel/http/errors.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";

/** Tries to prove a second factor, counted so that guessing is slow from one place and from many. */
export interface Tries {
  /** Counts one try; gives how to take that back when it was right. Throws `too_many_requests`. */
  take(accountId: string, ip: string): () => void;
}

/**
 * Wrong ones in 15 minutes: ten for an account, because a known password begins any number of sign-ins; fifty from a network; two
 * thousand in all, so that not even a thousand known passwords make guessing worth it.
 */
export function createTries(clock: Clock): Tries {
  const account = createLimiter(clock, 10, minutes(15));
  const network = createLimiter(clock, 50, minutes(15));
  const everybody = createLimiter(clock, 2000, minutes(15));
  return {
    take(accountId, ip) {
      const counted = [
        [account, accountId],
        [network, networkOf(ip)],
        [everybody, ""],
      ] as const;
      const wait = Math.max(...counted.map(([limiter, key]) => limiter.check(key)));
      if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
      for (const [limiter, key] of counted) limiter.take(key);
      return () => {
        for (const [limiter, key] of counted) limiter.giveBack(key);
      };
    },
  };
}

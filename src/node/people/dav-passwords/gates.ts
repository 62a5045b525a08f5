import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import type { Clock } from "../../../lib/clock.ts";
import { hours, minutes } from "../../../lib/duration.ts";

/** How often anybody may come with a wrong password. */
export interface Gates {
  /** Counts one; the seconds to wait where there were too many, else 0. */
  count(ip: string, username: string): number;
}

/**
 * By network, by account and by all together. Only what is wrong is counted: nobody guesses 120 bits, and whoever has the right
 * password is not shut out by others who try.
 */
export function createGates(clock: Clock): Gates {
  const ofNetwork = createLimiter(clock, 30, minutes(15));
  const ofAccount = createLimiter(clock, 100, hours(1));
  const ofAll = createLimiter(clock, 1_000, minutes(15));
  return {
    count(ip, username) {
      const counted: [Limiter, string][] = [
        [ofNetwork, networkOf(ip)],
        [ofAccount, username],
        [ofAll, ""],
      ];
      const wait = Math.max(...counted.map(([limiter, key]) => limiter.check(key)));
      if (wait === 0) for (const [limiter, key] of counted) limiter.take(key);
      return wait;
    },
  };
}

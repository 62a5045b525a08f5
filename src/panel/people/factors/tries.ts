import { createLimiter } from "../../../kernel/http/limit.ts";
import { networkOf, providerOf } from "../../../kernel/http/peer.ts";
import { assertNoWait } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";

/** Tries to prove a second factor, counted so that guessing is slow from one place and from many. */
export interface Tries {
  /**
   * Counts one try for an account, as `countedAs` names it; gives how to take that back when it was right. Throws `too_many_requests`.
   */
  take(whose: string, ip: string): () => void;
}

/** A passphrase is a slow hash: of right ones beyond so many a minute those for the account count as wrong ones do. */
const RIGHT_A_MINUTE = 30;

/**
 * Wrong ones in 15 minutes: ten for an account, because a known password begins any number of sign-ins; fifty from a network; two
 * thousand in all, so that not even a thousand known passwords make guessing worth it. Beyond that each provider still has ten: nobody
 * with very many networks keeps all others out. Whoever has the say about a workspace's own sign-in can name anybody there: what is tried
 * through it has ten of its own, so that it uses up nobody's tries elsewhere.
 */
export function createTries(clock: Clock): Tries {
  const account = createLimiter(clock, 10, minutes(15), RIGHT_A_MINUTE);
  const network = createLimiter(clock, 50, minutes(15));
  const everybody = createLimiter(clock, 2000, minutes(15));
  const provider = createLimiter(clock, 10, minutes(15));
  return {
    take(whose, ip) {
      const counted = [
        [account, whose],
        [network, networkOf(ip)],
        [everybody, ""],
        [provider, providerOf(ip)],
      ] as const;
      const [ofAccount, ofNetwork, ofAll, ofProvider] = [
        account.check(whose),
        network.check(networkOf(ip)),
        everybody.check(""),
        provider.check(providerOf(ip)),
      ];
      const wait = Math.max(ofAccount, ofNetwork, Math.min(ofAll, ofProvider));
      assertNoWait(wait);
      // Of the last two one may be used up already, and has nothing to be given back.
      const taken = counted.filter(([limiter, key]) => limiter.take(key) === 0);
      return () => {
        for (const [limiter, key] of taken) limiter.giveBack(key);
      };
    },
  };
}

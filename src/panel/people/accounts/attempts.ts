import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeAll } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days, minutes } from "../../../lib/duration.ts";

/** One try to prove a password. */
export interface Attempt {
  ip: string;
  /** The address of the account, in small letters. */
  whose: string;
  /** The device or sign-in that the account is known to use, by which its tries are counted alone; null for strangers. */
  known: string | null;
  /** The account signed in from this network before. */
  isHome: boolean;
}

/** Tries to prove passwords, counted so that guessing is slow from one place and from many. */
export interface Attempts {
  /** Counts one try; gives how to take that back. Throws `too_many_requests`. */
  take(attempt: Attempt): () => void;
}

/** Each is a slow hash: of right ones beyond so many a minute those for the account count as wrong ones do. */
const RIGHT_A_MINUTE = 30;

/**
 * Wrong passwords in 15 minutes: five for an account from one network or known device, fifty from a network for all who come without a
 * known device, because whole offices come from one. All strangers together have twenty for an account, and a hundred a day; these keep
 * nobody out who comes from a place or with a device that the account signed in with before.
 */
export function createAttempts(clock: Clock): Attempts {
  const one = createLimiter(clock, 5, minutes(15), RIGHT_A_MINUTE);
  const network = createLimiter(clock, 50, minutes(15));
  const strangers = [createLimiter(clock, 20, minutes(15)), createLimiter(clock, 100, days(1))];
  return {
    take({ ip, whose, known, isHome }) {
      const from = networkOf(ip);
      const counted: [Limiter, string][] = [
        [one, `${known ?? from} ${whose}`],
        // Whoever guesses in the same network must not keep out a device that signed in before.
        ...(known === null ? [network] : []).map((limiter): [Limiter, string] => [limiter, from]),
        ...(known === null && !isHome ? strangers : []).map((limiter): [Limiter, string] => [limiter, whose]),
      ];
      takeAll(counted);
      return () => {
        for (const [limiter, key] of counted) limiter.giveBack(key);
      };
    },
  };
}

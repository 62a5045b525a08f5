import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import { networkOf, providerOf } from "../../../kernel/http/peer.ts";
import { takeAll } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";

/** Who is about to make a workspace. */
export interface Grower {
  ip: string;
  /** Null for a new account. */
  accountId: string | null;
  /** Since when there is the account, or for a new one the workspace that invites it; null where nobody invites it. */
  knownSince: number | null;
}

/** How fast the panel may grow. */
export interface Growth {
  /** Counts one workspace that is about to be made; gives how to take that back. Throws `too_many_requests`. */
  take(by: Grower): () => void;
}

/** In ninths of what all may make: what one provider may, what newcomers may, and what those of one provider may. */
const OF_PROVIDER = 3;
const OF_NEWCOMERS = 6;
const OF_NEWCOMERS_OF_PROVIDER = 2;
/** How long somebody is a newcomer, and with them whom they invite. */
const NEW_FOR = days(1);

/**
 * Ten new accounts an hour and thirty a day from one network, ten more workspaces an hour for one account and thirty for one
 * network, and so many of both together as `perHour` says: whoever has many addresses cannot fill the database either. Of these a third
 * come from one provider at most, so that whoever has many networks of it does not keep everybody else out, and of each two thirds from
 * newcomers: those who belong to the panel, and whom they invite, go on whatever strangers do.
 */
export function createGrowth(clock: Clock, perHour: number): Growth {
  const part = (ninths: number) => createLimiter(clock, Math.ceil((perHour * ninths) / 9), hours(1));
  const newAccounts = [createLimiter(clock, 10, hours(1)), createLimiter(clock, 30, days(1))];
  const account = createLimiter(clock, 10, hours(1));
  const network = createLimiter(clock, 30, hours(1));
  const provider = part(OF_PROVIDER);
  const all = part(9);
  const newcomers = part(OF_NEWCOMERS);
  const newcomersOfProvider = part(OF_NEWCOMERS_OF_PROVIDER);
  return {
    take({ ip, accountId, knownSince }) {
      const from = networkOf(ip);
      const whose = providerOf(ip);
      const counted: [Limiter, string][] = [
        [all, ""],
        [provider, whose],
      ];
      if (knownSince === null || clock.now() - knownSince < NEW_FOR)
        counted.push([newcomers, ""], [newcomersOfProvider, whose]);
      if (accountId === null) counted.push(...newAccounts.map((limiter): [Limiter, string] => [limiter, from]));
      else counted.push([account, accountId], [network, from]);
      takeAll(counted);
      return () => {
        for (const [limiter, key] of counted) limiter.giveBack(key);
      };
    },
  };
}

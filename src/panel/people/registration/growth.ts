import { createLimiter, type Limiter } from "../../../kernel/http/limit.ts";
import { networkOf, providerOf } from "../../../kernel/http/peer.ts";
import { takeAll } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";

/** How fast the panel may grow. */
export interface Growth {
  /** Counts one workspace that is about to be made; gives how to take that back. Throws `too_many_requests`. */
  take(by: { ip: string /** Null for a new account. */; accountId: string | null }): () => void;
}

/** New accounts of one provider are no more than one part of what all may make. */
const PARTS = 3;

/**
 * Ten new accounts an hour and thirty a day from one network, ten more workspaces an hour for one account and thirty for one
 * network, and so many of both together as `perHour` says: whoever has many addresses cannot fill the database either. Of these a third
 * are accounts of one provider at most, so that whoever has many networks of it does not keep everybody else out.
 */
export function createGrowth(clock: Clock, perHour: number): Growth {
  const newcomers = [createLimiter(clock, 10, hours(1)), createLimiter(clock, 30, days(1))];
  const account = createLimiter(clock, 10, hours(1));
  const network = createLimiter(clock, 30, hours(1));
  const provider = createLimiter(clock, Math.ceil(perHour / PARTS), hours(1));
  const all = createLimiter(clock, perHour, hours(1));
  return {
    take({ ip, accountId }) {
      const from = networkOf(ip);
      const counted: [Limiter, string][] = [[all, ""]];
      if (accountId === null) {
        counted.push(...newcomers.map((limiter): [Limiter, string] => [limiter, from]), [provider, providerOf(ip)]);
      } else counted.push([account, accountId], [network, from]);
      takeAll(counted);
      return () => {
        for (const [limiter, key] of counted) limiter.giveBack(key);
      };
    },
  };
}

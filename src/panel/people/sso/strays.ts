import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";

/** Answers to nothing that is on its way. */
export interface Strays {
  /** Counts one. Throws `too_many_requests`. */
  take(ip: string): void;
}

/** How many come in a second, and how many at once: an office that was signing in while the panel started anew. */
const NETWORK = [1, 300] as const;
const SITE = [2, 600] as const;
const ALL = [100, 5_000] as const;

/**
 * Counts answers that nobody waits for, by either protocol. Nobody judges them and whoever has their browser post them may be a page of
 * somebody else, so they count for nothing but themselves.
 */
export function createStrays(clock: Clock): Strays {
  const network = createBucketLimiter(clock, ...NETWORK);
  const site = createBucketLimiter(clock, ...SITE);
  const all = createBucketLimiter(clock, ...ALL);
  return {
    take(ip) {
      const [, ofSite, ofNetwork] = networksAround(ip);
      takeOne(network, ofNetwork);
      takeOne(site, ofSite);
      takeOne(all, "");
    },
  };
}

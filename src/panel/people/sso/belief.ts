import { createLimiter } from "../../../kernel/http/limit.ts";
import { networkOf, networksAround } from "../../../kernel/http/peer.ts";
import { assertNoWait } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";

/** Who brings the answer of a provider. */
export interface Bringer {
  connector_id: string;
  ip: string;
  /** An answer of the connector was believed from their network before. */
  isKnown: boolean;
  /** Aborts when nobody waits any more. */
  left: AbortSignal;
}

/** Where answers came from that were not believed, of which each place has few, and where those came from that were. */
export interface Belief {
  /** Throws `too_many_requests` where too many were not believed. */
  check(connectorId: string, ip: string): void;
  /** The same, and counts an answer as not believed until `giveBack` is called. */
  take(connectorId: string, ip: string): { giveBack(): void };
  /** An answer of the connector came from there that was believed. */
  believe(connectorId: string, ip: string): void;
  /** Whether one did lately. */
  isKnown(connectorId: string, ip: string): boolean;
}

/** How long it is remembered that somebody came in from a network, and of how many. */
const KNOWN = { ttlMs: days(14), size: 20_000 };
const WINDOW_MS = minutes(10);

/**
 * In ten minutes a hundred for a network, two hundred for the site around it, a thousand for a provider's networks and five hundred for a
 * connector. Neither of the latter two keeps out others: beyond them each site of the provider, and each provider at the connector, still has
 * ten. For a network that somebody came in from before only its own hundred count.
 */
export function createBelief(clock: Clock): Belief {
  const limit = (most: number) => createLimiter(clock, most, WINDOW_MS);
  const network = limit(100);
  const site = limit(200);
  const provider = limit(1_000);
  const connector = limit(500);
  const ofSite = limit(10);
  const ofProvider = limit(10);
  const known = createSharedMap<true>(clock, KNOWN);
  const knownAs = (connectorId: string, ip: string): string => `${connectorId} ${networkOf(ip)}`;
  const isKnown = (connectorId: string, ip: string): boolean => known.get(knownAs(connectorId, ip)) !== null;

  const countedAs = (connectorId: string, ip: string) => {
    const [ofWhom, where, exactly] = networksAround(ip);
    return [
      [network, exactly],
      [site, where],
      [provider, ofWhom],
      [ofSite, where],
      [connector, connectorId],
      [ofProvider, `${connectorId} ${ofWhom}`],
    ] as const;
  };

  function check(connectorId: string, ip: string): void {
    const waits = countedAs(connectorId, ip).map(([limiter, key]) => limiter.check(key));
    const [atNetwork = 0, atSite = 0, atProvider = 0, firsts = 0, atConnector = 0, firstsThere = 0] = waits;
    const around = Math.max(Math.min(atProvider, firsts), Math.min(atConnector, firstsThere));
    assertNoWait(Math.max(atNetwork, isKnown(connectorId, ip) ? 0 : Math.max(atSite, around)));
  }

  return {
    check,
    take(connectorId, ip) {
      check(connectorId, ip);
      // Some may be used up already, and have nothing to be given back.
      const taken = countedAs(connectorId, ip).filter(([limiter, key]) => limiter.take(key) === 0);
      return {
        giveBack() {
          for (const [limiter, key] of taken) limiter.giveBack(key);
        },
      };
    },
    believe: (connectorId, ip) => known.set(knownAs(connectorId, ip), true, [connectorId]),
    isKnown,
  };
}

/** An answer that was judged. */
export interface Judged {
  /** It is by the provider and good here. */
  isBelieved: boolean;
}

/**
 * Has an answer judged and counts it, unless it is believed or has to be brought again: who waits for those of others was not disbelieved.
 * Throws `too_many_requests` and what `judge` throws.
 */
export async function judgeCounted<T extends Judged>(
  belief: Belief,
  { id: connectorId, ip, left }: { id: string; ip: string; left: AbortSignal },
  judge: (bringer: Bringer) => Promise<T>,
): Promise<T> {
  const { giveBack } = belief.take(connectorId, ip);
  try {
    const judged = await judge({ connector_id: connectorId, ip, isKnown: belief.isKnown(connectorId, ip), left });
    if (judged.isBelieved) {
      giveBack();
      belief.believe(connectorId, ip);
    }
    return judged;
  } catch (error) {
    giveBack();
    throw error;
  }
}

import { networksAround } from "../../../kernel/http/peer.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createFairQueue } from "../../../lib/fair-queue.ts";
import { createPlaces } from "../../../lib/places.ts";
import type { Bringer } from "./belief.ts";

/** So many ask at a time, and so many wait for that; nobody looks longer at a page that does nothing. */
const ALL = { size: 128, most: 200, patienceMs: seconds(20) };
const RETRY_S = 5;

interface Most {
  /** Who ask at a time: all of them, those at a connector, and there of a provider's networks, of a site and of a network. */
  asking: readonly number[];
  /** Who ask or wait, at all connectors together. */
  all: { network: number; site: number; provider: number };
}

/** An office may begin its day where somebody came in from before. */
const KNOWN: Most = {
  asking: [96, 24, 24, 24, 12],
  all: { network: 40, site: 60, provider: 80 },
};
const STRANGERS: Most = {
  asking: [96, 24, 12, 6, 4],
  all: { network: 10, site: 20, provider: 40 },
};
/** So many a site has whatever the others of its provider have. */
const FIRST = 2;

/**
 * Asks a provider when it is the turn of who wants it to be asked; gives what the task gives. A silent provider holds a turn for as long as
 * it may, so each connector has few, which keeps those of others free, and who knows many connectors has no more for that. Throws
 * `too_many_requests`.
 */
export type Turns = <T>(bringer: Bringer, ask: () => Promise<T>) => Promise<T>;

const refuse = () => tooManyRequests(RETRY_S);

/** Makes them; nobody is asked yet. */
export function createTurns(clock: Pick<Clock, "monotonic" | "after">): Turns {
  const places = createPlaces();
  const inTurn = createFairQueue(clock, {
    ...{ ...ALL, refuse },
    mostOfPart: (group, depth) => (group === "known" ? KNOWN : STRANGERS).asking[depth] ?? Number.POSITIVE_INFINITY,
  });

  return async ({ connector_id, ip, isKnown, left }, ask) => {
    const [group, most] = isKnown ? (["known", KNOWN] as const) : (["strangers", STRANGERS] as const);
    const [provider, site, network] = networksAround(ip);
    const ofNetwork = { key: `${group} network ${network}`, most: most.all.network };
    const ofSite = { key: `${group} site ${site}`, most: most.all.site };
    const mostOfProvider = places.count(ofSite.key) < FIRST ? Number.POSITIVE_INFINITY : most.all.provider;
    const taken = places.take([ofNetwork, ofSite, { key: `${group} provider ${provider}`, most: mostOfProvider }]);
    if (taken.full) throw refuse();
    try {
      return await inTurn({ path: [group, connector_id, provider, site, network], limit: ofNetwork, left }, ask);
    } finally {
      taken.give();
    }
  };
}

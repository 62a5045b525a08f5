import { networksAround } from "../../../kernel/http/peer.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createFairQueue } from "../../../lib/fair-queue.ts";
import { createPlaces } from "../../../lib/places.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import type { Bringer } from "./belief.ts";

/** So many ask at a time, and so many wait for that; nobody looks longer at a page that does nothing. */
const ALL = { size: 128, most: 200, patienceMs: seconds(20) };
const RETRY_S = 5;

type Group = "known" | "strangers";

interface Most {
  /** Who ask at a time: all of them, those at a connector, and there of a provider's networks, of a site and of a network. */
  asking: readonly number[];
  /** Who ask or wait, at all connectors together. */
  all: { network: number; site: number; provider: number };
}

/** An office may begin its day where somebody came in from before. */
const MOST: Readonly<Record<Group, Most>> = {
  known: {
    asking: [96, 24, 24, 24, 12],
    all: { network: 40, site: 60, provider: 80 },
  },
  strangers: {
    asking: [96, 24, 12, 6, 4],
    all: { network: 10, site: 20, provider: 40 },
  },
};
/** Of either where the provider was slow: turns that end soon are many, however few there are at a time. */
const SLOW_ASKING: Readonly<Record<Group, readonly number[]>> = {
  known: [24, 8, 8, 8, 8],
  strangers: [24, 8, 6, 4, 3],
};
/** A provider that says nothing for so long is slow, and is for so long, however soon it answers in between. */
const SLOW = { afterMs: seconds(3), ttlMs: minutes(10), size: 20_000 };
/** So many a site has whatever the others of its provider have. */
const FIRST = 2;

/**
 * Asks a provider when it is the turn of who wants it to be asked; gives what the task gives. A silent provider holds a turn for as long as
 * it may, so each connector has few, which keeps those of others free, and who knows many connectors has no more for that. Connectors whose
 * providers were slow lately have few all together, and none of those of others. Throws `too_many_requests`.
 */
export type Turns = <T>(bringer: Bringer, ask: () => Promise<T>) => Promise<T>;

const refuse = () => tooManyRequests(RETRY_S);
const slowly = (group: Group): string => `${group} of slow ones`;

/** Makes them; nobody is asked yet. */
export function createTurns(clock: Pick<Clock, "monotonic" | "after">): Turns {
  const places = createPlaces();
  const slow = createSharedMap<true>(clock, SLOW);
  const asking: ReadonlyMap<string, readonly number[]> = new Map(
    (["known", "strangers"] as const).flatMap((group) => [
      [group, MOST[group].asking],
      [slowly(group), SLOW_ASKING[group]],
    ]),
  );
  const inTurn = createFairQueue(clock, {
    ...{ ...ALL, refuse },
    mostOfPart: (group, depth) => asking.get(group)?.[depth] ?? Number.POSITIVE_INFINITY,
  });

  /** Asks, and notes when that takes long. */
  async function watch<T>(connectorId: string, ask: () => Promise<T>): Promise<T> {
    const cancel = clock.after(SLOW.afterMs, () => slow.set(connectorId, true, [connectorId]));
    try {
      return await ask();
    } finally {
      cancel();
    }
  }

  return async ({ connector_id, ip, isKnown, left }, ask) => {
    const group = isKnown ? "known" : "strangers";
    const most = MOST[group];
    const inGroup = slow.get(connector_id) === null ? group : slowly(group);
    const [provider, site, network] = networksAround(ip);
    const ofNetwork = { key: `${group} network ${network}`, most: most.all.network };
    const ofSite = { key: `${group} site ${site}`, most: most.all.site };
    const mostOfProvider = places.count(ofSite.key) < FIRST ? Number.POSITIVE_INFINITY : most.all.provider;
    const taken = places.take([ofNetwork, ofSite, { key: `${group} provider ${provider}`, most: mostOfProvider }]);
    if (taken.full) throw refuse();
    try {
      const path = [inGroup, connector_id, provider, site, network] as const;
      return await inTurn({ path, limit: ofNetwork, left }, () => watch(connector_id, ask));
    } finally {
      taken.give();
    }
  };
}

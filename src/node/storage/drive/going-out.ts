import { networkOf } from "../../../kernel/http/peer.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { createPlaces, type PlaceLimit, type Places } from "../../../lib/places.ts";
import { openUnderPlace } from "./held-place.ts";

type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

/** Who a content goes to. */
export interface Reader {
  /** The account, or with `byLink` the one that made the link. */
  key: string;
  ip: string;
  /** Whether a visitor reads it by a link. */
  byLink?: boolean;
}

/** The same with what they asked, whose answer ends with their right to it. */
export interface Receiver extends Reader {
  request: Request;
}

/** How many answers may be on their way at a time, and after how many seconds those who find no place may come again. */
export interface GoingOutLimits {
  network: number;
  /** Of an account, and of all links that it made. */
  key: number;
  /** Of all links: they leave a part of the places to accounts. */
  links: number;
  all: number;
  retryS: number;
}

/** For contents: of those that are read slowly the runtime holds more than a megabyte each, however little is taken. */
export const CONTENTS: GoingOutLimits = { network: 48, key: 48, links: 96, all: 128, retryS: 5 };
/** For archives, which are made while they are read. */
export const ARCHIVES: GoingOutLimits = { network: 8, key: 2, links: 5, all: 8, retryS: 30 };

/** Answers that are on their way. */
export interface GoingOut {
  /**
   * Opens what an answer sends to a reader; it counts for them from now to its last byte, or until nobody reads on. Throws `too_many_requests` where
   * as many are on their way as may be, and what `open` throws.
   */
  open(reader: Reader, open: () => Promise<Bytes>): Promise<Bytes>;
}

/**
 * Counts from nothing. Nobody who reads is sent away for somebody else, as the runtime keeps what was given to it, so nobody takes what is
 * left alone: an account has no more than is free of all, the links of a maker no more than is free of those for links, and the visitors of
 * one network no more than is free of their maker's.
 */
export function createGoingOut(clock: Pick<Clock, "after">, most: GoingOutLimits): GoingOut {
  const places: Places = createPlaces();
  const free = (key: string, of: number): number => of - places.count(key);

  function limitsOf({ key, ip, byLink = false }: Reader): PlaceLimit[] {
    const network = networkOf(ip);
    const ofAll = [
      { key: `network ${network}`, most: most.network },
      { key: "all", most: most.all },
    ];
    if (!byLink) return [{ key: `reader ${key}`, most: Math.min(most.key, free("all", most.all)) }, ...ofAll];
    const ofMaker = Math.min(most.key, free("links", most.links));
    return [
      { key: `links of ${key} to ${network}`, most: free(`links of ${key}`, most.key) },
      { key: `links of ${key}`, most: ofMaker },
      { key: "links", most: most.links },
      ...ofAll,
    ];
  }

  function take(reader: Reader): () => void {
    const taken = places.take(limitsOf(reader));
    if (taken.full === null) return taken.give;
    throw tooManyRequests(most.retryS);
  }

  return { open: (reader, open) => openUnderPlace(clock, () => take(reader), open) };
}

import { networkOf } from "../../../kernel/http/peer.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { createPlaces, type Places } from "../../../lib/places.ts";
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

/**
 * Contents that are on their way at a time: of those that are read slowly the runtime holds more than a megabyte each, however little is
 * taken. All links of an account count together, and all links leave a part of the places to accounts.
 */
const MOST = { network: 48, key: 48, links: 96, all: 128 };
const RETRY_S = 5;

/** Contents that are on their way. */
export interface GoingOut {
  /**
   * Opens a content for a reader; it counts for them from now to its last byte, or until nobody reads on. Throws `too_many_requests` where
   * as many are on their way as may be, and what `open` throws.
   */
  open(reader: Reader, open: () => Promise<Bytes>): Promise<Bytes>;
}

/** Counts from nothing. */
export function createGoingOut(clock: Pick<Clock, "after">): GoingOut {
  const places: Places = createPlaces();

  function take({ key, ip, byLink = false }: Reader): () => void {
    const taken = places.take([
      { key: `network ${networkOf(ip)}`, most: MOST.network },
      { key: `${byLink ? "links of" : "reader"} ${key}`, most: MOST.key },
      ...(byLink ? [{ key: "links", most: MOST.links }] : []),
      { key: "all", most: MOST.all },
    ]);
    if (taken.full === null) return taken.give;
    throw tooManyRequests(RETRY_S);
  }

  return { open: (reader, open) => openUnderPlace(clock, () => take(reader), open) };
}

import { kernelFail } from "../../../kernel/http/errors.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { createPlaces, type Places } from "../../../lib/places.ts";

/** Who a content goes to. */
export interface Reader {
  /** The account or the link. */
  key: string;
  ip: string;
}

/**
 * Contents that are on their way at a time: of those that are read slowly the runtime holds more than a megabyte each, however little is
 * taken.
 */
const MOST = { network: 48, key: 48, all: 128 };
const RETRY_S = 5;

/** Contents that are on their way. */
export interface GoingOut {
  /** Throws `too_many_requests` where as many are on their way as may be. */
  check(reader: Reader): void;
  /** The same bytes, which count for the reader from the first that is read to the last, or until nobody reads on. Throws as `check`. */
  count(
    reader: Reader,
    bytes: AsyncGenerator<Uint8Array, void, undefined>,
  ): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Counts from nothing. */
export function createGoingOut(): GoingOut {
  const places: Places = createPlaces();

  function take({ key, ip }: Reader): () => void {
    const taken = places.take([
      { key: `network ${networkOf(ip)}`, most: MOST.network },
      { key: `reader ${key}`, most: MOST.key },
      { key: "all", most: MOST.all },
    ]);
    if (taken.full === null) return taken.give;
    throw kernelFail("too_many_requests", { retry_after_s: RETRY_S }, { "retry-after": String(RETRY_S) });
  }

  return {
    check: (reader) => take(reader)(),
    async *count(reader, bytes) {
      try {
        const give = take(reader);
        try {
          yield* bytes;
        } finally {
          give();
        }
      } finally {
        await bytes.return();
      }
    },
  };
}

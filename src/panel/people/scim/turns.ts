import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { createKeyedGate } from "../../../lib/keyed-gate.ts";
import { createPlaces } from "../../../lib/places.ts";

/** Requests of one workspace's directory, the one that is answered and those that wait for it. */
const WAITING_MAX = 30;

/** Answers a request of a workspace's directory when no other of the same workspace is answered. Throws `too_many_requests`. */
export type InTurn = <T>(tenantId: string, answer: () => Promise<T>) => Promise<T>;

/** A directory with ten thousand members asks for a lot with few words: one request of each workspace is answered at a time. */
export function createTurns(): InTurn {
  const gate = createKeyedGate();
  const places = createPlaces();
  return async (tenantId, answer) => {
    const place = places.take([{ key: tenantId, most: WAITING_MAX }]);
    if (place.full !== null) throw tooManyRequests(1);
    try {
      return await gate(tenantId, answer);
    } finally {
      place.give();
    }
  };
}

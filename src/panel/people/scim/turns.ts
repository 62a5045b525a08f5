import { setImmediate } from "node:timers/promises";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createKeyedGate } from "../../../lib/keyed-gate.ts";
import { createPlaces } from "../../../lib/places.ts";

/** Requests of one workspace's directory, the one that is answered and those that wait for it. */
const WAITING_MAX = 30;
/** What a request may take without a pause after it: bringing in thousands of people is thousands of these. */
const FREE_MS = 50;
/** The longest pause. */
const PAUSE_MS = seconds(1);

/** Answers a request of a workspace's directory when no other of the same workspace is answered. Throws `too_many_requests`. */
export type InTurn = <T>(tenantId: string, answer: () => Promise<T>) => Promise<T>;

/**
 * A directory with ten thousand members asks for a lot with few words: one request of each workspace is answered at a time, and after one
 * that took longer than `FREE_MS` comes a pause of what it took beyond that, so that near half of the time is for everybody else.
 */
export function createTurns(clock: Pick<Clock, "monotonic" | "sleep">): InTurn {
  const gate = createKeyedGate();
  const places = createPlaces();

  async function pause(ms: number): Promise<void> {
    if (ms > 0) await clock.sleep(Math.min(PAUSE_MS, ms));
    else await setImmediate();
  }

  return <T>(tenantId: string, answer: () => Promise<T>) => {
    const place = places.take([{ key: tenantId, most: WAITING_MAX }]);
    if (place.full !== null) throw tooManyRequests(1);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    void gate(tenantId, async () => {
      const begun = clock.monotonic();
      await answer().then(resolve, reject);
      await pause(clock.monotonic() - begun - FREE_MS);
    }).finally(place.give);
    return promise;
  };
}

import { createBucketLimiter, type Limiter } from "../../../../kernel/http/limit.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { createGate } from "../../../../lib/gate.ts";

/** Searches of the panel at once. */
const AT_ONCE = 4;
/** How many may begin at once, and a second from there on: some people who type. */
const BURST = 32;
const PER_SECOND = 8;

/** What the panel's searches may take of this node. */
export interface Searches {
  begin: Pick<Limiter, "take">;
  gate: ReturnType<typeof createGate>;
}

/** All searches of a panel share this, whatever sessions and streams they come by. */
export const createSearches = (clock: Clock): Searches => ({
  begin: createBucketLimiter(clock, PER_SECOND, BURST),
  gate: createGate(AT_ONCE),
});

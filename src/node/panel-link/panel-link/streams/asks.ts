import { createBucketLimiter, type Limiter } from "../../../../kernel/http/limit.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { createGate } from "../../../../lib/gate.ts";

/** Searches of the panel at once. */
const SEARCHES = 4;
/** How many streams of a service may begin at once, and a second from there on: some people who type. */
const BURST = 32;
const PER_SECOND = 8;

/** What the panel's streams may take of this node. */
export interface Asks {
  /** By the name of a service. */
  opens: Pick<Limiter, "take">;
  searching: ReturnType<typeof createGate>;
}

/** All streams of a panel share this, whatever sessions they come by. */
export const createAsks = (clock: Clock): Asks => ({
  opens: createBucketLimiter(clock, PER_SECOND, BURST),
  searching: createGate(SEARCHES),
});

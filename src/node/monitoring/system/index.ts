/** System: what this machine is, what it is doing right now and how full it is. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLiveSampler, type LiveSampler } from "./live.ts";
import type { Needs } from "./needs.ts";
import { bindSystemRoutes } from "./routes.ts";
import { watchMachine } from "./watched.ts";

export { compareCounters, type LiveSampler } from "./live.ts";

export const systemFeature = defineFeature({ name: "system" });

/** What this machine is and does. */
export interface System extends Part {
  /** What the machine is doing right now. */
  live: LiveSampler;
}

/** The system of this machine, as its host shows it. */
export function createSystem(needs: Needs): System {
  const live = createLiveSampler(needs.clock, needs.host);
  needs.lists.watched.add(watchMachine(needs));
  return {
    feature: systemFeature,
    routes: [bindSystemRoutes({ ...needs, live })],
    start: () => live.prime(),
    live,
  };
}

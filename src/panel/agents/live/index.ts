/** The fleet as it is at this moment: every node of every workspace in memory, judged by one function. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { clearNode, liveTables } from "./journal-store.ts";
import { createLiveStore } from "./live.ts";
import init from "./migrations/0001_live.sql" with { type: "text" };
import since from "./migrations/0002_since.sql" with { type: "text" };
import listening from "./migrations/0003_listening.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import type { LiveStore } from "./port.ts";

export { factsOf, type StoredNode, toldRegion } from "./facts.ts";
export { countFailedApps, type FiguresOf, health, type Reason } from "./health.ts";
export type * from "./port.ts";

export const liveFeature = defineFeature({ name: "live", migrations: [init, since, listening] });

/** Begins with the figures of the last run and ends with everything written. */
export interface Live extends LiveStore, Part {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A store that knows of no node until somebody puts it there. */
export function createLive(needs: Needs): Live {
  needs.lists.remains.add({ clear: clearNode });
  return { feature: liveFeature, ...createLiveStore({ ...needs, tables: liveTables(needs.db) }) };
}

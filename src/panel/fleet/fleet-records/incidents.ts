import { seconds } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { countAll } from "./measure.ts";
import type { Needs } from "./needs.ts";

/** Somebody may be in a hundred workspaces with large fleets, and their list is asked for with every page. */
const KEEP_MS = seconds(20);
const MAX_KEPT = 10_000;

/** How many nodes of a workspace have something worse than a note, as it was at most 20 seconds ago. */
export function createIncidentCount({ live, clock }: Pick<Needs, "live" | "clock">): (tenantId: string) => number {
  const kept = createExpiringMap<number>(clock, MAX_KEPT);
  return (tenantId) => {
    const known = kept.get(tenantId);
    if (known !== null) return known;
    const { incidents } = countAll(live.of(tenantId));
    kept.set(tenantId, incidents, KEEP_MS);
    return incidents;
  };
}

/** Fleet groups: how people order their nodes, by group, region, client and tags. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { fleetGroupMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindFleetGroupRoutes } from "./routes.ts";

export { fail as groupFail } from "./contract.ts";

export const fleetGroupsFeature = defineFeature({
  name: "fleet-groups",
  errors: fail.table,
  events: fleetGroupMeanings,
});

export function createFleetGroups(needs: Needs): Part {
  return { feature: fleetGroupsFeature, routes: [bindFleetGroupRoutes(needs)] };
}

/** Fleet groups: how people order their nodes, by group, region, client and tags. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { fleetGroupMeanings } from "./events.ts";
import { fleetGroupRoutes } from "./routes.ts";

export const fleetGroups = defineContextFeature({
  name: "fleet-groups",
  errors: fail.table,
  routes: fleetGroupRoutes,
  events: fleetGroupMeanings,
});

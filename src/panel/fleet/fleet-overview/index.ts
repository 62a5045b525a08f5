/** Fleet overview: the whole fleet on one screen, its heat map, its regions and its clusters. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { fleetOverviewRoutes } from "./routes.ts";

export const fleetOverview = defineContextFeature({
  name: "fleet-overview",
  errors: fail.table,
  routes: fleetOverviewRoutes,
});

/** Fleet overview: the whole fleet on one screen, its heat map, its regions and its clusters. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { fleetOverviewRoutes } from "./routes.ts";

export const fleetOverview = defineContextFeature<PanelContext>({
  name: "fleet-overview",
  errors: fail.table,
  routes: fleetOverviewRoutes,
});

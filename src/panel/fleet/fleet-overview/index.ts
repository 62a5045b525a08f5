/** Fleet overview: the whole fleet on one screen, its heat map, its regions and its clusters. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { fleetOverviewRoutes } from "./routes.ts";

export const fleetOverview = defineFeature<PanelContext>({
  name: "fleet-overview",
  requires: ["tenants", "sessions", "nodes", "fleet", "fleet-records"],
  errors: fail.table,
  routes: fleetOverviewRoutes,
});

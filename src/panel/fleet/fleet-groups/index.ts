/** Fleet groups: how people order their nodes, by group, region, client and tags. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { fleetGroupRoutes } from "./routes.ts";

export const fleetGroups = defineFeature<PanelContext>({
  name: "fleet-groups",
  requires: ["audit", "tenants", "sessions", "nodes", "fleet"],
  errors: fail.table,
  routes: fleetGroupRoutes,
});

/** Fleet groups: how people order their nodes, by group, region, client and tags. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { fleetGroupRoutes } from "./routes.ts";

export const fleetGroups = defineContextFeature<PanelContext>({
  name: "fleet-groups",
  errors: fail.table,
  routes: fleetGroupRoutes,
});

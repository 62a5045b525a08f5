/** Team: who is in a workspace, and what they may do there. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { teamRoutes } from "./routes.ts";

export const team = defineFeature<PanelContext>({
  name: "team",
  requires: ["audit", "tenants", "sessions"],
  errors: fail.table,
  routes: teamRoutes,
});

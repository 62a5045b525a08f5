/** Team: who is in a workspace, and what they may do there. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { teamRoutes } from "./routes.ts";

export const team = defineContextFeature<PanelContext>({
  name: "team",
  errors: fail.table,
  routes: teamRoutes,
});

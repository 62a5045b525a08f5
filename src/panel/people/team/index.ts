/** Team: who is in a workspace, and what they may do there. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { teamMeanings } from "./events.ts";
import { teamRoutes } from "./routes.ts";

export const team = defineContextFeature({
  name: "team",
  errors: fail.table,
  routes: teamRoutes,
  events: teamMeanings,
});

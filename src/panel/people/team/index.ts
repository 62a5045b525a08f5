/** Team: who is in a workspace, and what they may do there. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { teamMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindTeamRoutes } from "./routes.ts";

export const teamFeature = defineFeature({ name: "team", errors: fail.table, events: teamMeanings });

export const createTeam = (needs: Needs): Part => ({
  feature: teamFeature,
  routes: [bindTeamRoutes(needs)],
});

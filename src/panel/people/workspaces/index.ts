/** Workspaces: which ones an account is in, making one, moving between them and leaving. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { minutes } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { workspaceMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindWorkspaceRoutes } from "./routes.ts";
import { searchWorkspaces } from "./search.ts";
import { finishDeletions } from "./take-away.ts";

export const workspacesFeature = defineFeature({ name: "workspaces", errors: fail.table, events: workspaceMeanings });

export function createWorkspaces(needs: Needs): Part {
  needs.lists.searches.add(searchWorkspaces(needs));
  return {
    feature: workspacesFeature,
    jobs: [
      { name: "workspaces.finish_deletions", everyMs: minutes(1), run: (signal) => finishDeletions(needs, signal) },
    ],
    routes: [bindWorkspaceRoutes(needs)],
  };
}

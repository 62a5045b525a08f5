/** Compose projects: a user's Compose file, planned, deployed and kept as it is. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { findAppDangers } from "./app-paths.ts";
import { fail } from "./contract.ts";
import { composeProjectMeanings } from "./events.ts";
import { createMakingTurns } from "./look-again.ts";
import init from "./migrations/0001_deploys.sql" with { type: "text" };
import confirmed from "./migrations/0002_confirmed.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { findProjects } from "./projects.ts";
import { recoverProjects } from "./recover.ts";
import { requireStartable } from "./require-confirmed.ts";
import { bindComposeProjectRoutes } from "./routes.ts";

export const composeProjectsFeature = defineFeature({
  name: "compose-projects",
  migrations: [init, confirmed],
  errors: fail.table,
  events: composeProjectMeanings,
});

/** Compose projects, and what others ask of them. */
export interface ComposeProjects extends Part {
  /** Throws `compose_unconfirmed` where a container with these labels must not be started before somebody has looked at its project. */
  requireStartable(labels: Readonly<Record<string, string>>): Promise<void>;
}

/** The Compose projects of this node. */
export function createComposeProjects(needs: Needs): ComposeProjects {
  const own: Own = { ...needs, busy: new Set(), turns: createMakingTurns(needs.host.clock) };
  needs.lists.pathDangers.add((app) => findAppDangers(own, app));
  needs.lists.finds.add({ source: "compose_projects", least: "admin", find: (text) => findProjects(own, text) });
  return {
    feature: composeProjectsFeature,
    requireStartable: (labels) => requireStartable(own, labels),
    routes: [bindComposeProjectRoutes(own)],
    // Not waited for: others hear of the engine too.
    subscribe: () => needs.runtime.watch({ connected: (engine) => void recoverProjects(own, engine), event: () => {} }),
  };
}

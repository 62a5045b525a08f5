/** Rollouts: changes of many nodes in stages, each of which has to prove itself before the next begins. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import { beginOwnRollout } from "./begin.ts";
import { fail, type RolloutInput } from "./contract.ts";
import { rolloutMeanings } from "./events.ts";
import { createFollower } from "./follow.ts";
import { forgetOld } from "./forget-store.ts";
import { hindranceOf } from "./included.ts";
import init from "./migrations/0001_rollouts.sql" with { type: "text" };
import errorRates from "./migrations/0002_error_rates.sql" with { type: "text" };
import tallies from "./migrations/0003_rollout_tallies.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindRolloutRoutes } from "./routes.ts";
import { searchRollouts } from "./search.ts";
import { listOpen, listTrials, listTrialsOfWorkspace, readTries, selectOfNode, type Tries } from "./store.ts";

/** How often a rollout is looked at. */
const LOOK_MS = seconds(5);

export { NODES_MAX, type RolloutInput } from "./contract.ts";

export const rolloutsFeature = defineFeature({
  name: "rollouts",
  migrations: [init, errorRates, tallies],
  errors: fail.table,
  events: rolloutMeanings,
});

export interface Rollouts extends Part {
  /** Begins one in the panel's own name; gives its id. Throws as the route does. */
  begin(tenantId: string, input: RolloutInput): Promise<string>;
  /** What rollouts of the system to a version have come to. */
  readTries(tenantId: string, version: string): Promise<Tries>;
  /** Why a workspace has no rollouts, and what to do about it; null when it has them. */
  hindranceOf(tenantId: string): Promise<string | null>;
}

export function createRollouts(needs: Needs): Rollouts {
  const { system, log, isCurrent } = needs;
  const follow = createFollower(needs);
  needs.lists.searches.add(searchRollouts);
  needs.lists.remains.add({ needs: selectOfNode });
  needs.lists.trials.add((of) =>
    "node_id" in of ? listTrials(system, of.node_id) : listTrialsOfWorkspace(system, of.tenant_id),
  );

  /** Lets time pass for every rollout that is not over. One that cannot be read stays as it is: nothing goes on unseen. */
  async function look(signal: AbortSignal): Promise<void> {
    for (const { tenant_id, id } of await listOpen(system)) {
      if (signal.aborted || !isCurrent()) return;
      try {
        await follow(system, { tenant_id, id, action: { kind: "look" }, doer: null });
      } catch (error) {
        log.error("a rollout could not be looked at; it stays as it is", { rollout_id: id, error });
      }
    }
  }

  return {
    feature: rolloutsFeature,
    routes: [bindRolloutRoutes({ ...needs, follow })],
    jobs: [
      { name: "rollouts.look", everyMs: LOOK_MS, run: look },
      { name: "rollouts.forget", everyMs: hours(1), run: (signal) => forgetOld(needs, signal) },
    ],
    begin: (tenantId, input) => beginOwnRollout({ ...needs, follow }, tenantId, input),
    readTries: (tenantId, version) => readTries(system, tenantId, version),
    hindranceOf: async (tenantId) => hindranceOf(await needs.tenants.findPlan(tenantId)),
  };
}

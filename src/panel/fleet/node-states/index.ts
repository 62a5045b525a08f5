/** Node states: when a node's status changed, and why. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { bindRoutes } from "../../route.ts";
import { nodeStateRoutes } from "./contract.ts";
import { readStates } from "./logic.ts";
import type { Needs } from "./needs.ts";

export const nodeStatesFeature = defineFeature({ name: "node-states" });

export function createNodeStates(needs: Needs): Part {
  const routes = bindRoutes(nodeStateRoutes, {
    "GET /api/fleet/instances/{id}/states": ({ actor, params, query }) => readStates(needs, actor, params.id, query),
  });
  return { feature: nodeStatesFeature, routes: [routes] };
}

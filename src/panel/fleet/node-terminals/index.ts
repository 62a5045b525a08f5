/** Node terminals: shells in apps of nodes that owners and admins talk to through the session that the node holds. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { fail } from "./contract.ts";
import { nodeTerminalMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindNodeTerminalRoutes } from "./routes.ts";

export const nodeTerminalsFeature = defineFeature({
  name: "node-terminals",
  errors: fail.table,
  events: nodeTerminalMeanings,
});

/** More tickets are never waiting to be used. */
const MAX_TICKETS = 1_000;

export const createNodeTerminals = (needs: Needs): Part => ({
  feature: nodeTerminalsFeature,
  routes: [bindNodeTerminalRoutes({ ...needs, tickets: createExpiringMap(needs.clock, MAX_TICKETS), open: new Set() })],
});

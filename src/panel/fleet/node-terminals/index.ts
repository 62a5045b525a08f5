/** Node terminals: shells in apps of nodes that owners and admins talk to through the session that the node holds. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { fail } from "./contract.ts";
import { nodeTerminalMeanings } from "./events.ts";
import type { Needs, Own } from "./needs.ts";
import { bindNodeTerminalRoutes } from "./routes.ts";
import { TICKET_S } from "./tickets.ts";

export const nodeTerminalsFeature = defineFeature({
  name: "node-terminals",
  errors: fail.table,
  events: nodeTerminalMeanings,
});

/** More tickets are never waiting to be used. */
const MAX_TICKETS = 1_000;

export function createNodeTerminals(needs: Needs): Part {
  const tickets: Own["tickets"] = createSharedMap(needs.clock, { size: MAX_TICKETS, ttlMs: seconds(TICKET_S) });
  return { feature: nodeTerminalsFeature, routes: [bindNodeTerminalRoutes({ ...needs, tickets, open: new Set() })] };
}

/** Terminals: programs in containers that an admin talks to from the browser. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { fail } from "./contract.ts";
import { terminalMeanings } from "./events.ts";
import type { Needs, Own } from "./needs.ts";
import { bindTerminalRoutes } from "./routes.ts";

export const terminalsFeature = defineFeature({ name: "terminals", errors: fail.table, events: terminalMeanings });

/** More tickets are never waiting to be used. */
const MAX_TICKETS = 100;

/** The terminals in containers of this node. */
export function createTerminals(needs: Needs): Part {
  const own: Own = { ...needs, tickets: createExpiringMap(needs.clock, MAX_TICKETS), open: new Set() };
  return {
    feature: terminalsFeature,
    routes: [bindTerminalRoutes(own)],
    // Their ends are put on record.
    async stop() {
      await Promise.all([...own.open].map(({ done }) => done));
    },
  };
}

/** Terminals: programs in containers that an admin talks to from the browser. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { SocketSession } from "../../../kernel/http/socket.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { fail } from "./contract.ts";
import { terminalMeanings } from "./events.ts";
import type { Needs, Own } from "./needs.ts";
import { bindTerminalRoutes } from "./routes.ts";
import { serveFromAfar } from "./serve-terminal.ts";
import { TICKET_MS } from "./tickets.ts";

export const terminalsFeature = defineFeature({ name: "terminals", errors: fail.table, events: terminalMeanings });

/** More tickets are never waiting to be used. */
const MAX_TICKETS = 100;

export interface Terminals extends Part {
  /**
   * Lets somebody who is no user of this node, but for whom `by` answers, talk to a shell in a container; `isIn` says whether they still
   * may. Its start and its end are on record. Throws `exec_…`, `container_not_found`, `runtime_unavailable`.
   */
  serve(session: SocketSession, by: string, containerId: string, isIn: () => boolean): Promise<void>;
}

/** The terminals in containers of this node. */
export function createTerminals(needs: Needs): Terminals {
  const own: Own = { ...needs, tickets: createSharedMap(needs.clock, { size: MAX_TICKETS, ttlMs: TICKET_MS }) };
  return {
    feature: terminalsFeature,
    routes: [bindTerminalRoutes(own)],
    serve: (session, by, containerId, isIn) => serveFromAfar(own, session, { by, isIn }, containerId),
    // Their ends are put on record.
    stop: needs.seats.idle,
  };
}

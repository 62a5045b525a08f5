/** Host terminals: shells of the server itself that admins talk to from the browser, off until one of them says otherwise. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { SocketSession } from "../../../kernel/http/socket.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { fail } from "./contract.ts";
import { hostTerminalMeanings } from "./events.ts";
import init from "./migrations/0001_host_terminals.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindHostTerminalRoutes } from "./routes.ts";
import { createSeats, type Seats } from "./seats.ts";
import { serveFromAfar } from "./serve-terminal.ts";
import { TICKET_MS } from "./tickets.ts";

export { fail as terminalFail } from "./contract.ts";
export type { Seats } from "./seats.ts";
export { type TerminalLine, talk } from "./talk.ts";

export const hostTerminalsFeature = defineFeature({
  name: "host-terminals",
  migrations: [init],
  errors: fail.table,
  events: hostTerminalMeanings,
});

/** More tickets are never waiting to be used. */
const MAX_TICKETS = 100;

export interface HostTerminals extends Part {
  /** How many terminals may be open, here and in apps. */
  seats: Seats;
  /**
   * Lets somebody who is no user of this node, but for whom `by` answers, talk to a shell of the server; `isIn` says whether they still
   * may. Its start and its end are on record. Throws `host_terminal_off`, `exec_too_many` and what the host role refuses.
   */
  serve(session: SocketSession, by: string, isIn: () => boolean): Promise<void>;
}

/** The terminals of this server. */
export function createHostTerminals(needs: Needs): HostTerminals {
  const seats = createSeats();
  const own: Own = {
    ...needs,
    seats,
    tickets: createSharedMap(needs.clock, { size: MAX_TICKETS, ttlMs: TICKET_MS }),
    open: new Set(),
  };
  return {
    feature: hostTerminalsFeature,
    routes: [bindHostTerminalRoutes(own)],
    seats,
    serve: (session, by, isIn) => serveFromAfar(own, session, by, isIn),
    // Their ends are put on record.
    stop: seats.idle,
  };
}

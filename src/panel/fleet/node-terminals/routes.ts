import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { socket } from "../../../kernel/http/socket.ts";
import { bindRoutes } from "../../route.ts";
import { nodeTerminalRoutes, type TerminalQuery } from "./contract.ts";
import type { Own } from "./needs.ts";
import { serveTerminal } from "./serve-terminal.ts";
import { issueTicket } from "./tickets.ts";

interface Visit {
  params: { id: string };
  query: TerminalQuery;
  request: Request;
}

/** What answers the routes of terminals. */
export const bindNodeTerminalRoutes = (own: Own): BoundRoutes =>
  bindRoutes(nodeTerminalRoutes, {
    "POST /api/fleet/instances/{id}/terminal/ticket": ({ actor, ip, params, body }) =>
      issueTicket(own, actor, ip, params.id, body),
    // Whether they may stay is asked where it is known who they are.
    "WS /api/fleet/instances/{id}/terminal/ws": socket<Visit>({ ...own, mayStay: () => true }, (session, visit) =>
      serveTerminal(own, session, visit.params.id, visit.query),
    ),
  });

import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { socket } from "../../../kernel/http/socket.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { terminalRoutes } from "./contract.ts";
import type { Own } from "./needs.ts";
import { serveTerminal } from "./serve-terminal.ts";
import { issueTicket } from "./tickets.ts";

interface Visit {
  actor: Actor;
  ip: string;
  params: { id: string };
  query: { ticket: string };
  request: Request;
}

/** What answers the routes of terminals. */
export const bindTerminalRoutes = (own: Own): BoundRoutes =>
  bindRoutes(terminalRoutes, {
    "POST /api/containers/{id}/exec": ({ actor, ip, params, body }) =>
      issueTicket(own, { actor, ip, id: params.id }, body),
    // It hangs on the session: the access token that opened it runs out long before.
    "WS /ws/containers/{id}/exec": socket<Visit>(
      { ...own, mayStay: ({ actor, ip }) => own.presence.isIn({ ...actor, ip }, "admin") },
      (session, { actor, ip, params, query }) =>
        serveTerminal(own, session, { actor, ip, id: params.id }, query.ticket),
    ),
  });

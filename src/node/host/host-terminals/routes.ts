import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { socket } from "../../../kernel/http/socket.ts";
import { bindRoutes } from "../../route.ts";
import { chooseHostTerminal, readHostTerminal } from "./choose.ts";
import { hostTerminalRoutes, type TerminalQuery } from "./contract.ts";
import type { Own } from "./needs.ts";
import { serveTerminal } from "./serve-terminal.ts";
import { issueTicket, type Visitor } from "./tickets.ts";

interface Visit extends Visitor {
  query: TerminalQuery;
  request: Request;
}

/** What answers the routes of terminals of the server. */
export const bindHostTerminalRoutes = (own: Own): BoundRoutes =>
  bindRoutes(hostTerminalRoutes, {
    "GET /api/host/terminal": () => readHostTerminal(own),
    "PUT /api/host/terminal": ({ actor, ip, body, request }) =>
      chooseHostTerminal(own, actor, ip, body, request.signal),
    "POST /api/host/terminal/ticket": ({ actor, ip }) => issueTicket(own, { actor, ip }),
    // It hangs on the session: the access token that opened it runs out long before.
    "WS /ws/host/terminal": socket<Visit>(
      { ...own, mayStay: ({ actor, ip }) => own.presence.isIn({ ...actor, ip }, "admin") },
      (session, { actor, ip, query }) => serveTerminal(own, session, { actor, ip }, query),
    ),
  });

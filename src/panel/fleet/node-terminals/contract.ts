import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { MOST_COLUMNS, MOST_ROWS, ShellPlace } from "../../../shared/agent-protocol/index.ts";
import { can, open } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { NodeParams } from "../fleet/contract.ts";

/** In which app; nothing stands for the server itself. */
export const TicketInput = t.Optional(t.Partial(ShellPlace));
export type TicketInput = Static<typeof TicketInput>;

export const Ticket = t.Object({
  ticket: t.String(),
  /** Seconds. */
  expires_in: t.Integer(),
  /** Where the socket is opened, with the ticket and the size in its query. */
  ws_path: t.String(),
});
export type Ticket = Static<typeof Ticket>;

const TerminalQuery = t.Object({
  ticket: t.String({ maxLength: 100 }),
  cols: t.Optional(t.Integer({ minimum: 1, maximum: MOST_COLUMNS })),
  rows: t.Optional(t.Integer({ minimum: 1, maximum: MOST_ROWS })),
});
export type TerminalQuery = Static<typeof TerminalQuery>;

/** Why a terminal is over. */
export type TerminalEnd =
  | "exited"
  | "left"
  | "idle"
  | "too_long"
  | "access_ended"
  | "agent_offline"
  | "shell_disabled"
  | "too_many"
  | "pty_failed"
  | "timeout"
  | "recording_failed"
  | "panel_stopped";

interface About {
  node_id: string;
  /** Empty for the server itself. */
  app: string;
}

export type NodeTerminalEvents = {
  "fleet.terminal.ticket": PanelEvent & About;
  "fleet.terminal.refused": PanelEvent & About & { code: string };
  /** On record before anything runs. */
  "fleet.terminal.start": PanelEvent & About & { terminal_id: string };
  "fleet.terminal.end": PanelEvent & About & { terminal_id: string; reason: TerminalEnd; duration_s: number };
};

export const fail = defineErrors({
  shell_permission: [403, "Only owners and admins of the workspace open terminals. Ask one of them."],
  impersonation: [403, "Staff open no terminals on servers of customers. Ask somebody of the workspace."],
  shell_disabled: [409, "{reason}"],
  terminal_ticket_used: [
    403,
    "This way into the terminal was used before, is older than {seconds} seconds, or is for another server. Open the terminal again.",
  ],
});

export const nodeTerminalRoutes = defineRoutes({
  "POST /api/fleet/instances/{id}/terminal/ticket": {
    access: can("fleet:write"),
    params: NodeParams,
    body: TicketInput,
    out: Ticket,
  },
  // Browsers can give a socket no token: the ticket says who it is.
  "WS /api/fleet/instances/{id}/terminal/ws": { access: open(), params: NodeParams, query: TerminalQuery },
});
export type NodeTerminalApi = ApiOf<typeof nodeTerminalRoutes>;

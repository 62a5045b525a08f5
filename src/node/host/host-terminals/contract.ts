import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

export const MAX_COLUMNS = 500;
export const MAX_ROWS = 300;

/** As whom a terminal of the server opens, if at all. */
export const HostTerminalMode = t.Union([t.Literal("off"), t.Literal("unprivileged"), t.Literal("root")]);
export type HostTerminalMode = Static<typeof HostTerminalMode>;

export const HostTerminal = t.Object({
  mode: HostTerminalMode,
  /** The user that is not root, as it was named last; null before. */
  user: NullableText,
  /** As whom a terminal opens now; null while it is off. */
  run_as: NullableText,
  /** Where its shell is: on the server itself, in the container that Orrery runs in, or beside Orrery as its own user. */
  place: t.Union([t.Literal("server"), t.Literal("container"), t.Literal("process")]),
  /** Whether root can be had: Orrery, or its host role, is root. */
  may_be_root: t.Boolean(),
});
export type HostTerminal = Static<typeof HostTerminal>;

/** With a proof of who asks: the password, or a current code. */
export const HostTerminalInput = t.Object(
  {
    mode: HostTerminalMode,
    user: t.Optional(t.String({ pattern: "^[a-z_][a-z0-9_-]{0,31}$" })),
    password: t.Optional(t.String({ maxLength: 1024 })),
    code: t.Optional(t.String({ maxLength: 64 })),
  },
  { additionalProperties: false },
);
export type HostTerminalInput = Static<typeof HostTerminalInput>;

/** Opens `WS /ws/host/terminal` once, for this session. */
export const HostTerminalTicket = t.Object({ ticket: t.String(), expires_at: t.String(), run_as: t.String() });
export type HostTerminalTicket = Static<typeof HostTerminalTicket>;

const TerminalQuery = t.Object({
  ticket: t.String({ maxLength: 100 }),
  cols: t.Optional(t.Integer({ minimum: 1, maximum: MAX_COLUMNS })),
  rows: t.Optional(t.Integer({ minimum: 1, maximum: MAX_ROWS })),
});
export type TerminalQuery = Static<typeof TerminalQuery>;

/** What all terminals of a node refuse, in apps and on the server. */
export const fail = defineErrors({
  exec_needs_session: [
    409,
    "A terminal ends with the session it was opened from, and a paired device has none. Sign in in a browser to open one.",
  ],
  exec_too_many: [409, "{limit} terminals are open {where} already. Close one, then try again."],
  exec_ticket_used: [
    403,
    "This way into the terminal was used before, is older than {seconds} seconds, or belongs to another session or place. Open the terminal again.",
  ],
  host_terminal_off: [
    409,
    "The terminal of this server is off. An admin can turn it on, on this server's own page Terminal.",
  ],
  host_terminal_no_user: [400, "Name the user that the terminal is to open as, one of this server that is not root."],
  host_terminal_no_root: [
    409,
    "Orrery does not run as root here, so no terminal opens as root. Name its own user instead.",
  ],
});

/** Why a terminal of the server is over. */
export type HostTerminalEnd =
  | "exited"
  | "left"
  | "idle"
  | "too_long"
  | "access_ended"
  | "host_lost"
  | "refused"
  | "turned_off"
  | "node_stopped";

interface About {
  user_id: string;
  ip: string;
  run_as: string;
}

export type HostTerminalEvents = {
  "host.terminal_set": { user_id: string; ip: string; mode: HostTerminalMode; run_as: string | null };
  /** On record before anything runs. */
  "host.terminal_started": About;
  "host.terminal_ended": About & { reason: HostTerminalEnd; exit_code: number | null; duration_s: number };
  "host.terminal_refused": { user_id: string; ip: string; code: string };
};

/** A shell outlives its key, so no key opens one. */
const access = admin("settings", { keys: "never" });

export const hostTerminalRoutes = defineRoutes({
  "GET /api/host/terminal": { access, out: HostTerminal },
  "PUT /api/host/terminal": { access, body: HostTerminalInput, out: HostTerminal },
  "POST /api/host/terminal/ticket": { access, out: HostTerminalTicket },
  "WS /ws/host/terminal": { access, query: TerminalQuery },
});
export type HostTerminalApi = ApiOf<typeof hostTerminalRoutes>;

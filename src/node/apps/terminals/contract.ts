import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { admin } from "../../access.ts";

const closed = { additionalProperties: false };

/** What to run on the terminal; left out, the best shell that the container has. */
export const ExecInput = t.Object(
  {
    command: t.Optional(t.Array(t.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 64 })),
    /** Name or number in the container, with a group behind a colon; left out, the container's own. */
    user: t.Optional(
      t.String({
        pattern: "^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,63}(:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,63})?$",
        description: "must be a user of the container by name or number, such as postgres or 1000:1000",
      }),
    ),
  },
  closed,
);
export type ExecInput = Static<typeof ExecInput>;

/** Opens `WS /ws/containers/{id}/exec` once, for this session and this container. */
export const ExecTicket = t.Object({
  ticket: t.String(),
  expires_at: t.String(),
  command: t.Array(t.String()),
});
export type ExecTicket = Static<typeof ExecTicket>;

export const fail = defineErrors({
  exec_not_running: [409, "{name} does not run, so nothing can be done in it. Start it, then open the terminal again."],
  exec_no_shell: [409, "{name} has no shell: its image was built without one. Name a program that it has instead."],
  exec_refused: [409, "Docker opened no terminal in {name}: {reason} Correct that, then try again."],
});

interface Exec {
  user_id: string;
  ip: string;
  container_id: string;
  name: string;
  command: string[];
  /** Whom it runs as in the container; null for the container's own. */
  run_as: string | null;
}

/** Why a terminal is over. `access_ended`: the session was locked or ended, or its user is no admin any more. */
export type ExecEnd =
  | "exited"
  | "left"
  | "idle"
  | "too_long"
  | "access_ended"
  | "engine_lost"
  | "refused"
  | "node_stopped";

export type TerminalEvents = {
  /** On record before anything runs. */
  "container.exec_started": Exec;
  "container.exec_ended": Exec & { reason: ExecEnd; exit_code: number | null; duration_s: number };
  "container.exec_refused": { user_id: string; ip: string; container_id: string; code: string };
};

/** A shell outlives its key, so no key opens one. */
const access = admin("apps", { keys: "never" });
const ContainerParams = t.Object({
  id: t.String({
    pattern: "^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$",
    description: "must be a name or an id as the list has it",
  }),
});

export const terminalRoutes = defineRoutes({
  "POST /api/containers/{id}/exec": { access, params: ContainerParams, body: ExecInput, out: ExecTicket },
  "WS /ws/containers/{id}/exec": {
    access,
    params: ContainerParams,
    query: t.Object({ ticket: t.String({ maxLength: 100 }) }),
  },
});
export type TerminalApi = ApiOf<typeof terminalRoutes>;

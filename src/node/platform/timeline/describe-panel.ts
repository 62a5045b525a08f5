import type { NodeEvents } from "../../events.ts";
import type { Telling } from "./describe.ts";

const PANEL = { link: "/panel" } as const;
const ENDED: Record<NodeEvents["panel.ended"]["reason"], string> = {
  deleted: "The panel deleted this server from its fleet",
  needs_new_token: "The panel does not take this server's certificate any more: connect it with a new token",
};
const OUTCOMES: Record<NodeEvents["panel.command_run"]["status"], string> = {
  succeeded: "was carried out",
  failed: "failed",
  refused: "was refused",
};

/** Who did it: somebody at the command line is no user. */
const actor = (by: string, nameOf: (id: string) => string): string =>
  by === "host" ? "Somebody on the host" : nameOf(by);

export const tellPanel: Telling = {
  "panel.connected": ({ by, panel }, nameOf) => ({
    category: "system",
    severity: "info",
    title: `${actor(by, nameOf)} connected this server to the panel at ${panel}`,
    isInbox: true,
    ...PANEL,
  }),
  "panel.disconnected": ({ by, panel }, nameOf) => ({
    category: "system",
    severity: "warning",
    title: `${actor(by, nameOf)} disconnected this server from the panel at ${panel}`,
    isInbox: true,
    ...PANEL,
  }),
  "panel.ended": ({ reason }) => ({
    category: "system",
    severity: "critical",
    title: ENDED[reason],
    isInbox: true,
    ...PANEL,
  }),
  "panel.plan_changed": ({ plan, before }) => ({
    category: "system",
    severity: "info",
    title: `The plan is ${plan} now; it was ${before}`,
    isInbox: true,
    ...PANEL,
  }),
  "panel.clock_skewed": ({ ahead_seconds }) => ({
    category: "system",
    severity: "warning",
    title: `The server's clock is ${Math.abs(ahead_seconds)} seconds ${ahead_seconds > 0 ? "ahead of" : "behind"} the panel's`,
    ...PANEL,
  }),
  "panel.command_run": ({ type, status, detail }) => ({
    category: "system",
    severity: status === "succeeded" ? "info" : "warning",
    title: `The panel's command ${type} ${OUTCOMES[status]}${status === "succeeded" ? "" : `: ${detail}`}`,
    ...PANEL,
  }),
};

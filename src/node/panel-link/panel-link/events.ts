import { onRecord } from "../../event-lines.ts";
import type { EventMeanings, NameOf } from "../../event-meaning.ts";
import type { PanelLinkEvents } from "./contract.ts";

const PAGE = { link: "/panel" } as const;
const ENDED: Record<PanelLinkEvents["panel.ended"]["reason"], string> = {
  deleted: "The panel deleted this server from its fleet",
  needs_new_token: "The panel does not take this server's certificate any more: connect it with a new token",
};
const OUTCOMES: Record<PanelLinkEvents["panel.command_run"]["status"], string> = {
  succeeded: "was carried out",
  failed: "failed",
  refused: "was refused",
};

const audit = onRecord<{ panel: string; ip: string }>(({ panel }) => `panel:${panel}`);

/** Who did it: somebody at the command line is no user. */
const actor = (by: string, nameOf: NameOf): string => (by === "host" ? "Somebody on the host" : nameOf(by));

export const panelLinkMeanings: EventMeanings<PanelLinkEvents> = {
  "panel.connected": {
    audit,
    timeline: ({ by, panel }, nameOf) => ({
      category: "system",
      severity: "info",
      title: `${actor(by, nameOf)} connected this server to the panel at ${panel}`,
      isInbox: true,
      ...PAGE,
    }),
  },
  "panel.disconnected": {
    audit,
    timeline: ({ by, panel }, nameOf) => ({
      category: "system",
      severity: "warning",
      title: `${actor(by, nameOf)} disconnected this server from the panel at ${panel}`,
      isInbox: true,
      ...PAGE,
    }),
  },
  "panel.people_ended": {
    changesAccess: true,
    audit,
    timeline: ({ people, panel }) => ({
      category: "system",
      severity: "warning",
      title: `${people === 1 ? "1 account" : `${people} accounts`} of people of the panel at ${panel} ended with it`,
      isInbox: true,
      link: "/users",
    }),
  },
  "panel.visit_begun": {
    audit,
    timeline: ({ by, panel, until }, nameOf) => ({
      category: "system",
      severity: "warning",
      title: `${nameOf(by)} of the staff of the panel at ${panel} came in, until ${until}`,
      isInbox: true,
      link: "/users",
    }),
  },
  "panel.visits_ended": {
    changesAccess: true,
    audit,
    timeline: ({ people, panel }) => ({
      category: "system",
      severity: "info",
      title: `${people === 1 ? "1 account" : `${people} accounts`} of the staff of the panel at ${panel} ended with the permit`,
      isInbox: true,
      link: "/users",
    }),
  },
  "panel.ended": {
    audit,
    timeline: ({ reason }) => ({
      category: "system",
      severity: "critical",
      title: ENDED[reason],
      isInbox: true,
      ...PAGE,
    }),
  },
  "panel.plan_changed": {
    audit: onRecord(() => "plan"),
    timeline: ({ plan, before }) => ({
      category: "system",
      severity: "info",
      title: `The plan is ${plan} now; it was ${before}`,
      isInbox: true,
      ...PAGE,
    }),
  },
  "panel.clock_skewed": {
    timeline: ({ ahead_seconds }) => ({
      category: "system",
      severity: "warning",
      title: `The server's clock is ${Math.abs(ahead_seconds)} seconds ${ahead_seconds > 0 ? "ahead of" : "behind"} the panel's`,
      ...PAGE,
    }),
  },
  "panel.command_run": {
    change: {},
    audit: onRecord(({ command_id }) => `panel_command:${command_id}`),
    timeline: ({ type, status, detail }) => ({
      category: "system",
      severity: status === "succeeded" ? "info" : "warning",
      title: `The panel's command ${type} ${OUTCOMES[status]}${status === "succeeded" ? "" : `: ${detail}`}`,
      ...PAGE,
    }),
  },
};

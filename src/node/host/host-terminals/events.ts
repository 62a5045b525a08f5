import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { HostTerminalEvents } from "./contract.ts";

const onHost = onRecord<{ ip: string }>(() => "host:terminal");

/** What terminals of the server mean. */
export const hostTerminalMeanings: EventMeanings<HostTerminalEvents> = {
  "host.terminal_set": {
    audit: onHost,
    timeline: ({ user_id, run_as }, nameOf) => ({
      category: "system",
      severity: run_as === null ? "info" : "warning",
      isInbox: run_as !== null,
      title:
        run_as === null
          ? `${nameOf(user_id)} turned the terminal of this server off`
          : `${nameOf(user_id)} lets admins open terminals of this server as ${run_as}`,
      link: "/terminal",
    }),
  },
  "host.terminal_started": {
    audit: onHost,
    timeline: ({ user_id, run_as }, nameOf) => ({
      category: "system",
      severity: "info",
      title: `${nameOf(user_id)} opened a terminal of this server as ${run_as}`,
      link: "/terminal",
    }),
  },
  "host.terminal_ended": { audit: onHost },
  "host.terminal_refused": { audit: onHost },
};

import type { EventMeanings } from "../../event-meaning.ts";
import type { NodeTerminalEvents } from "./contract.ts";

/** What terminals on nodes mean. */
export const nodeTerminalMeanings: EventMeanings<NodeTerminalEvents> = {
  "fleet.terminal.ticket": { audit: ({ node_id, app }) => ({ subject_id: node_id, details: { app } }) },
  "fleet.terminal.refused": { audit: ({ node_id, app, code }) => ({ subject_id: node_id, details: { app, code } }) },
  "fleet.terminal.start": {
    audit: ({ node_id, app, terminal_id }) => ({ subject_id: node_id, details: { app, terminal_id } }),
  },
  "fleet.terminal.end": {
    audit: ({ node_id, app, terminal_id, reason, duration_s }) => ({
      subject_id: node_id,
      details: { app, terminal_id, reason, duration_s },
    }),
  },
};

import type { EventMeanings } from "../../event-meaning.ts";
import type { TerminalRecordingEvents } from "./contract.ts";

/** What looking at recordings means. */
export const terminalRecordingMeanings: EventMeanings<TerminalRecordingEvents> = {
  "fleet.terminal.recording_read": {
    audit: ({ node_id, recording_id, app, who }) => ({ subject_id: node_id, details: { recording_id, app, who } }),
  },
};

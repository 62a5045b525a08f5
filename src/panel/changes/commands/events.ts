import type { EventMeanings } from "../../event-meaning.ts";
import type { CommandEvents } from "./contract.ts";

/** What commands mean. */
export const commandMeanings: EventMeanings<CommandEvents> = {
  "fleet.command": {
    audit: ({ node_id, command, params, instances, instance_ids }) => ({
      subject_id: node_id,
      details: { command, params, instances, instance_ids },
    }),
  },
  "fleet.command.result": {
    audit: ({ node_id, command, command_id, status }) => ({
      subject_id: node_id,
      details: { command, command_id, status },
    }),
  },
  "fleet.command.cancel": {
    audit: ({ node_id, command, command_id }) => ({ subject_id: node_id, details: { command, command_id } }),
  },
};

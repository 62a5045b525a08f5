import type { EventMeanings } from "../../event-meaning.ts";
import type { FleetGroupEvents, NodeAssigned } from "./contract.ts";

const assigned = ({ node_id, said, previous }: NodeAssigned) => ({
  subject_id: node_id,
  details: { ...said, previous },
});

/** What ordering nodes means. */
export const fleetGroupMeanings: EventMeanings<FleetGroupEvents> = {
  "fleet.group.add": { audit: ({ group_id, name, color }) => ({ subject_id: group_id, details: { name, color } }) },
  "fleet.group.change": {
    audit: ({ group_id, name, color, previous }) => ({ subject_id: group_id, details: { name, color, previous } }),
  },
  "fleet.group.remove": { audit: ({ group_id, name }) => ({ subject_id: group_id, details: { name } }) },
  "fleet.node.region": { audit: assigned },
  "fleet.node.client": { audit: assigned },
  "fleet.node.group": { audit: assigned },
  "fleet.node.tags": { audit: assigned },
  "fleet.node.mark_offline": { audit: assigned },
};

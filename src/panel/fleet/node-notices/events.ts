import type { EventMeanings } from "../../event-meaning.ts";
import type { NodeNoticeEvents } from "./contract.ts";

/** What putting a notice away means. */
export const nodeNoticeMeanings: EventMeanings<NodeNoticeEvents> = {
  "fleet.node.notice": { audit: ({ node_id, notice }) => ({ subject_id: node_id, details: { notice } }) },
};

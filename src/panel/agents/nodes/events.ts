import type { EventMeanings } from "../../event-meaning.ts";
import type { NodeEvents, Registered } from "./contract.ts";

const registered = ({ hostname, version, token_id }: Registered) => ({ hostname, version, token_id });

/** What nodes do means. */
export const nodeMeanings: EventMeanings<NodeEvents> = {
  "agent.register": { audit: (node) => ({ subject_id: node.node_id, details: registered(node) }) },
  "agent.reregister": {
    audit: ({ hardware, severity, ...node }) => ({
      subject_id: node.node_id,
      details: { ...registered(node), hardware, severity },
    }),
  },
  "agent.renew": { audit: ({ node_id, expires_at }) => ({ subject_id: node_id, details: { expires_at } }) },
  "agent.token_refused": {
    audit: ({ token_id, name, reason }) => ({ subject_id: token_id, details: { name, reason } }),
  },
  "agent.fingerprint_change": {
    audit: ({ node_id }) => ({ subject_id: node_id, details: { severity: "critical" } }),
  },
};

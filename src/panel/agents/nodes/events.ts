import type { EventMeanings, PanelEvent } from "../../event-meaning.ts";
import type { EnrolmentEvent } from "../enrolment/index.ts";

/** A node registered, with a token of its workspace. */
interface Registered extends PanelEvent {
  node_id: string;
  hostname: string;
  version: string;
  token_id: string;
}

type Hardware = Extract<EnrolmentEvent, { kind: "reregistered" }>["hardware"];

export type NodeEvents = {
  "agent.register": Registered;
  /** Critical when another machine took the place of a node that was alive. */
  "agent.reregister": Registered & { hardware: Hardware; severity: "info" | "critical" };
  /** The node itself says that it runs on other hardware. */
  "agent.fingerprint_change": PanelEvent & { node_id: string };
};

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
  "agent.fingerprint_change": {
    audit: ({ node_id }) => ({ subject_id: node_id, details: { severity: "critical" } }),
  },
};

import type { PanelEvent } from "../../event-meaning.ts";
import type { EnrolmentEvent } from "../enrolment/index.ts";

/** A node registered, with a token of its workspace. */
export interface Registered extends PanelEvent {
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

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
  /** A certificate was made anew, before the former one ended. */
  "agent.renew": PanelEvent & { node_id: string; expires_at: string };
  /** Somebody tried to register with a token of the workspace that is good no more. */
  /** `maker_gone`: whoever made it is no member any more, or in a role that enrols no servers. */
  "agent.token_refused": PanelEvent & {
    token_id: string;
    name: string;
    reason: "expired" | "revoked" | "used_up" | "maker_gone";
  };
  /** The node itself says that it runs on other hardware. */
  "agent.fingerprint_change": PanelEvent & { node_id: string };
};

import type { SharedMap } from "../../../lib/shared-map.ts";
import type { Actor } from "../../actor.ts";
import type { NodeStreams } from "../../agents/agent-port/index.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { TerminalRecordings } from "../terminal-recordings/index.ts";
import type { NodeTerminalEvents } from "./contract.ts";

/** What terminals on nodes need. */
export interface Needs extends PanelBase {
  bus: PanelBus<NodeTerminalEvents>;
  agentPort: NodeStreams;
  live: Pick<LiveStore, "fleetOf">;
  recordings: Pick<TerminalRecordings, "begin" | "whyNot">;
  tenants: Pick<Tenants, "findMembership">;
}

/** What a ticket opens, and for whom. */
export interface Grant {
  actor: Actor;
  ip: string;
  node_id: string;
  app: string;
  service: string | null;
}

/** The needs, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Grants by the digest of their ticket. */
  tickets: SharedMap<Grant>;
  /** Terminals that are open. */
  open: Set<Grant>;
}

import type { LiveStore } from "../../agents/live/index.ts";
import type { Nodes } from "../../agents/nodes/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { NodeNoticeEvents } from "./contract.ts";

/** What notices about nodes need. */
export interface Needs extends PanelBase {
  bus: PanelBus<NodeNoticeEvents>;
  nodes: Pick<Nodes, "clockAhead">;
  live: Pick<LiveStore, "fleetOf">;
}

import type { NodeStreams } from "../../agents/agent-port/index.ts";
import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase } from "../../base.ts";

/** What asking nodes needs. */
export interface Needs extends PanelBase {
  agentPort: NodeStreams;
  live: Pick<LiveStore, "fleetOf">;
}

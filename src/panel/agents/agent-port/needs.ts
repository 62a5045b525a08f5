import type { PanelBase } from "../../base.ts";
import type { LiveStore } from "../live/index.ts";
import type { Nodes } from "../nodes/index.ts";

/** What the agent port needs. */
export interface Needs extends PanelBase {
  nodes: Pick<Nodes, "authority" | "directory" | "handlers" | "rotate">;
  live: Pick<LiveStore, "heartbeat">;
}

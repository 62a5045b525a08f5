import type { LiveStore } from "../../agents/live/index.ts";
import type { Nodes } from "../../agents/nodes/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { CommandEvents } from "./contract.ts";

/** What commands need. */
export interface Needs extends PanelBase {
  /** Nodes of all workspaces come for what waits. */
  system: SystemDb;
  bus: PanelBus<CommandEvents>;
  nodes: Pick<Nodes, "directory" | "onChange">;
  live: Pick<LiveStore, "fleetOf" | "put">;
}

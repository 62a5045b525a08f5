import type { LiveStore } from "../../agents/live/index.ts";
import type { Nodes } from "../../agents/nodes/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Fleet } from "../../fleet/fleet/index.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { Commands } from "../commands/index.ts";
import type { BulkEvents } from "./contract.ts";

/** What bulk jobs need. */
export interface Needs extends PanelBase {
  /** Jobs of all workspaces go on by themselves. */
  system: SystemDb;
  bus: PanelBus<BulkEvents>;
  live: Pick<LiveStore, "of" | "fleetOf" | "put">;
  nodes: Pick<Nodes, "deleteNode">;
  fleet: Pick<Fleet, "idsOf">;
  tenants: Pick<Tenants, "isSuspended">;
  commands: Pick<Commands, "post" | "recall" | "rate" | "onEnded">;
}

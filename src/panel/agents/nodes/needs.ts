import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { LiveStore } from "../live/index.ts";
import type { ClockSkews } from "./clock-skews.ts";
import type { NodeEvents } from "./contract.ts";
import type { NodeDirectory } from "./directory.ts";

/** What nodes need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<NodeEvents>;
  tenants: Pick<Tenants, "findPlan">;
  /** Kept in step with the directory. */
  live: Pick<LiveStore, "of" | "put" | "remove">;
}

/** With what nodes make for themselves. */
export interface Own extends Needs {
  directory: NodeDirectory;
  skews: ClockSkews;
  /** Takes out of memory what is known of a node of a workspace, and tells that it is deleted. */
  forget(nodeId: string, tenantId: string): void;
}

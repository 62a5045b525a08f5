import type { LiveStore } from "../../agents/live/index.ts";
import type { Nodes } from "../../agents/nodes/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Tenants } from "../../people/tenants/index.ts";
import type { OauthEvents } from "./contract.ts";

/** What signing in to nodes needs. */
export interface Needs extends PanelBase {
  /** A node that brings a code says nothing of its workspace. */
  system: SystemDb;
  bus: PanelBus<OauthEvents>;
  tenants: Pick<Tenants, "findMembership" | "lockAccount">;
  nodes: Pick<Nodes, "secretOf">;
  live: Pick<LiveStore, "fleetOf">;
}

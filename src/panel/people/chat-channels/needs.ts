import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Tenants } from "../tenants/index.ts";
import type { ChatChannelEvents } from "./contract.ts";

/** What chat channels need. */
export interface Needs extends PanelBase {
  /** Messages go out for all workspaces together. */
  system: SystemDb;
  tenants: Pick<Tenants, "lockMembers">;
  /** Where they tell their own events, and hear all others. */
  bus: PanelBus<ChatChannelEvents> & PanelBase["bus"];
}

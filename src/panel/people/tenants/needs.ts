import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { TenantEvents } from "./contract.ts";

/** What tenants need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<TenantEvents>;
}

import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { AfterRestoreEvents } from "./contract.ts";

/** What is needed after an older database was put back. */
export interface Needs extends PanelBase {
  system: SystemDb;
  bus: PanelBus<AfterRestoreEvents>;
}

import type { PanelBase } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";

/** What mail needs. */
export interface Needs extends PanelBase {
  system: SystemDb;
}

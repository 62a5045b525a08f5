import type { PanelBase } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";

/** What the audit needs. */
export interface Needs extends PanelBase {
  /** Old entries of all workspaces go together. */
  system: SystemDb;
}

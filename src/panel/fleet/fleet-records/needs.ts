import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Fleet } from "../fleet/index.ts";

/** What the records of fleets need. */
export interface Needs extends PanelBase {
  system: SystemDb;
  /** The fleets of all workspaces, which are measured in turn. */
  live: Pick<LiveStore, "of">;
  fleet: Pick<Fleet, "prepareIndex">;
}

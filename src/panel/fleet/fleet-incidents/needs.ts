import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { IncidentEvents } from "./contract.ts";

/** What incidents of fleets need. */
export interface Needs extends PanelBase {
  /** The fleets of all workspaces are judged in turn. */
  system: SystemDb;
  live: Pick<LiveStore, "of" | "fleetOf">;
  bus: PanelBus<IncidentEvents>;
}

import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Audit } from "../../platform/audit/index.ts";
import type { TerminalRecordingEvents } from "./contract.ts";

/** What recordings of terminals need. */
export interface Needs extends PanelBase {
  /** They go with their time for all workspaces together. */
  system: SystemDb;
  bus: PanelBus<TerminalRecordingEvents>;
  live: Pick<LiveStore, "fleetOf">;
  audit: Pick<Audit, "acts">;
}

import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase } from "../../base.ts";
import type { FleetIndexes } from "./node-index.ts";
import type { InScanTurn } from "./scan-turns.ts";

/** What the fleet needs. */
export interface Needs extends PanelBase {
  live: Pick<LiveStore, "fleetOf" | "onChange" | "onSeen">;
}

/** With what the fleet makes for itself. */
export interface Own extends Needs {
  indexes: FleetIndexes;
  inScanTurn: InScanTurn;
}

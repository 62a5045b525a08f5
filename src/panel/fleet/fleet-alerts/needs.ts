import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase, PanelBus } from "../../base.ts";
import type { FleetAlertEvents } from "./contract.ts";

/** What alerts of the fleet need. */
export interface Needs extends PanelBase {
  bus: PanelBus<FleetAlertEvents>;
  live: Pick<LiveStore, "fleetOf">;
}

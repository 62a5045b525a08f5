import type { LiveStore } from "../../agents/live/index.ts";
import type { PanelBase } from "../../base.ts";

/** What the history of states needs. */
export interface Needs extends PanelBase {
  live: Pick<LiveStore, "fleetOf">;
}

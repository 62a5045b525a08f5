import type { PanelBase, PanelBus } from "../../base.ts";
import type { TeamEvents } from "./contract.ts";

/** What the team needs. */
export interface Needs extends PanelBase {
  bus: PanelBus<TeamEvents>;
}

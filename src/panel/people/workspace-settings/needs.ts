import type { PanelBase, PanelBus } from "../../base.ts";
import type { WorkspaceSettingsEvents } from "./contract.ts";

/** What a workspace's settings need. */
export interface Needs extends PanelBase {
  bus: PanelBus<WorkspaceSettingsEvents>;
}

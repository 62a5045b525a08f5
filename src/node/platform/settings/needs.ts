import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { SettingsEvents } from "./contract.ts";

/** What the settings need. */
export interface Needs extends NodeBase {
  bus: Bus<SettingsEvents>;
}

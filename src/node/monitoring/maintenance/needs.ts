import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { MaintenanceEvents } from "./contract.ts";

/** What maintenance needs. */
export interface Needs extends NodeBase {
  bus: Bus<MaintenanceEvents>;
}

import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { DiskEvents } from "./contract.ts";
import type { DiskWatch } from "./watch.ts";

/** What disks need. */
export interface Needs extends NodeBase {
  bus: Bus<DiskEvents>;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  watch: DiskWatch;
}

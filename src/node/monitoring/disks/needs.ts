import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { DiskEvents } from "./contract.ts";

/** What disks need. */
export interface Needs extends NodeBase {
  bus: Bus<DiskEvents>;
}

import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { OperationEvents } from "./contract.ts";

/** What the operations need. */
export interface Needs extends NodeBase {
  bus: Bus<OperationEvents>;
}

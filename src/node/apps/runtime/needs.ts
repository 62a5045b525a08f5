import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { RuntimeEvents } from "./contract.ts";

/** What the runtime needs. */
export interface Needs extends NodeBase {
  bus: Bus<RuntimeEvents>;
}

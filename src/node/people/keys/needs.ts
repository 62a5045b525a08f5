import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { KeyEvents } from "./contract.ts";

/** What API keys need. */
export interface Needs extends NodeBase {
  bus: Bus<KeyEvents>;
}

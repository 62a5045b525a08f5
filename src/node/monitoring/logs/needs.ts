import type { Runtime } from "../../apps/runtime/index.ts";
import type { NodeBase } from "../../base.ts";

/** What logs need. */
export interface Needs extends NodeBase {
  runtime: Pick<Runtime, "requireEngine">;
}

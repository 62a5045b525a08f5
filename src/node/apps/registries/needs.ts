import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Runtime } from "../runtime/index.ts";
import type { RegistryEvents } from "./contract.ts";

/** What registries need. */
export interface Needs extends NodeBase {
  bus: Bus<RegistryEvents>;
  runtime: Pick<Runtime, "requireEngine">;
}

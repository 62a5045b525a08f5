import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { AlertChannelEvents } from "./contract.ts";

/** What alert channels need. */
export interface Needs extends NodeBase {
  bus: Bus<AlertChannelEvents>;
  /** Messages say which server they come from. */
  identity: Pick<Identity, "name">;
}

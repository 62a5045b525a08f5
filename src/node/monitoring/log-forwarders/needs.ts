import type { Bus } from "../../../kernel/bus.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import type { NodeBase } from "../../base.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { LogForwarderEvents } from "./contract.ts";
import type { FollowLogs } from "./pump/followed.ts";

/** What log forwarders need. */
export interface Needs extends NodeBase {
  bus: Bus<LogForwarderEvents>;
  /** Receivers are told which server the lines come from. */
  identity: Pick<Identity, "name">;
  runtime: Pick<Runtime, "engine">;
  /** Every line of the system and of all containers, as it is written. */
  followLogs: FollowLogs;
}

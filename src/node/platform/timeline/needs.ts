import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { EventHub } from "../events/index.ts";
import type { TimelineEvents } from "./contract.ts";

/** What the timeline needs. */
export interface Needs extends NodeBase {
  bus: Bus<TimelineEvents>;
  hub: Pick<EventHub, "publish">;
}

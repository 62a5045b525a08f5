import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { SessionEvents } from "./contract.ts";

/** What sessions need. It is little, so that a command can make them on a data folder while the program runs. */
export interface Needs extends Pick<NodeBase, "clock" | "db" | "ids" | "seal"> {
  bus: Bus<SessionEvents>;
  lists: Pick<NodeBase["lists"], "lastingWays">;
}

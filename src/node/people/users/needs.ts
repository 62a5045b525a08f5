import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase, NodeLists } from "../../base.ts";
import type { Sessions } from "../sessions/index.ts";
import type { UserEvents } from "./contract.ts";

/** What users need. It is little, so that a command can make them on a data folder while the program runs. */
export interface Needs extends Pick<NodeBase, "clock" | "db" | "ids" | "log" | "signal"> {
  bus: Bus<UserEvents>;
  lists: Pick<NodeLists, "names" | "roles" | "lastingWays" | "belongings">;
  sessions: Sessions;
}

import type { NodeBase } from "../../base.ts";

/** What the host role needs. */
export type Needs = Pick<NodeBase, "config" | "clock" | "ids" | "log" | "version" | "host" | "signal">;

import type { NodeBase } from "../../base.ts";

/** What the store needs. */
export type Needs = Pick<NodeBase, "config" | "clock" | "ids" | "log" | "signal" | "seal"> & {
  /** How much room its disk has. */
  host: Pick<NodeBase["host"], "ownSpace">;
};

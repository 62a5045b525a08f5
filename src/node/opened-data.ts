import type { NodeBase } from "./base.ts";

/** What a command of a feature may work with: the data of a node, opened without the node around it. It names no feature. */
export interface OpenedData
  extends Pick<NodeBase, "clock" | "db" | "ids" | "log" | "meanings" | "random" | "seal" | "settings" | "version"> {
  /** Read when asked only: the way back in must stay open while the configuration is wrong. Throws ConfigError. */
  readHost(): Pick<NodeBase, "config" | "host">;
}

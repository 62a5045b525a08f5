import type { NodeBase } from "../../base.ts";
import { NODE_MODES, type NodeMode } from "./contract.ts";

/** The name this node goes by: the one given at setup where the host itself could not be renamed, else the host's. */
export function nodeName({ settings, host }: Pick<NodeBase, "settings" | "host">): string {
  return settings.get("node.name") || host.hostname();
}

/** What this node is for. */
export function nodeMode({ settings }: Pick<NodeBase, "settings">): NodeMode {
  const mode = settings.get("node.mode");
  return NODE_MODES.find((known) => known === mode) ?? "server";
}

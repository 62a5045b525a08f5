import type { AgentCommand, CommandResult } from "../../../shared/agent-protocol/index.ts";
import type { AgentIdentity } from "../agent-listener/index.ts";

/** Commands that wait for nodes. */
export interface CommandQueue {
  /**
   * What waits for a node, in the order it is to be done; it is told again until its result came. That it was told is
   * durable once this resolves.
   */
  forNode(nodeId: string): Promise<AgentCommand[]>;
  /** Takes what became of commands; durable once it resolves. */
  settle(node: AgentIdentity, results: readonly CommandResult[]): Promise<void>;
  /** Told when a command begins to wait for a node. Returns how to stop that. */
  onQueued(listener: (nodeId: string) => void): () => void;
}

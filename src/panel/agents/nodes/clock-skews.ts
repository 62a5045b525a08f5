import type { Clock } from "../../../lib/clock.ts";
import { isSkewed } from "../../../shared/agent-protocol/index.ts";

/** Which nodes have a clock that is off, as their last heartbeats tell; in memory, as each one tells it anew. */
export interface ClockSkews {
  /** `sentAt` is the node's own time. */
  note(nodeId: string, sentAt: string): void;
  /** How far a node's clock is ahead, milliseconds; null when it is right, or nothing is known. */
  of(nodeId: string): number | null;
  forget(nodeId: string): void;
}

/** Knows nothing yet. */
export function createClockSkews(clock: Clock): ClockSkews {
  const skews = new Map<string, number>();
  return {
    note(nodeId, sentAt) {
      const skew = Date.parse(sentAt) - clock.now();
      if (isSkewed(skew)) skews.set(nodeId, skew);
      else skews.delete(nodeId);
    },
    of: (nodeId) => skews.get(nodeId) ?? null,
    forget: (nodeId) => void skews.delete(nodeId),
  };
}

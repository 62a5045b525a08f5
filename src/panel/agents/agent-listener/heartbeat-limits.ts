import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { assertNoWait, takeOne } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { AgentIdentity } from "./directory.ts";

/** A node comes every 20 seconds, and when it is called; one that does a hundred commands in a row is let through. */
const NODE_PER_SECOND = 2;
const NODE_BURST = 60;
/** Whoever is refused has nothing to come for; each time is a look into the tables. */
const REFUSED_PER_SECOND = 0.5;
const REFUSED_BURST = 20;
/** Of each node of a workspace, on average, with some for those that have few. */
const SHARE_PER_SECOND = 0.5;
const LEAST_PER_SECOND = 10;
/** How many seconds' worth may come at once: after a restart, or a command to all, everybody comes. */
const BURST_S = 20;
const MAX_WORKSPACES = 20_000;

/** Whether a heartbeat is taken; seconds to wait when it is not. */
export interface HeartbeatLimits {
  /** Throws `too_many_requests` for a node that comes much more often than it was told to. */
  assertNode(nodeId: string): void;
  /** The same for calls with certificates of a node that are of no use any more; they take nothing from the node itself. */
  assertRefused(nodeId: string): void;
  /** Throws `too_many_requests` when all nodes of a workspace together do. */
  assertWorkspace(identity: AgentIdentity): void;
}

/** Counts for each node and each workspace; `countNodes` tells how many a workspace has. */
export function createHeartbeatLimits(clock: Clock, countNodes: (tenantId: string) => number): HeartbeatLimits {
  const nodes = createBucketLimiter(clock, NODE_PER_SECOND, NODE_BURST);
  const refused = createBucketLimiter(clock, REFUSED_PER_SECOND, REFUSED_BURST);
  /** Seconds' worth that are left of each workspace: what one heartbeat takes depends on how many nodes there are. */
  const workspaces = new Map<string, { left: number; at: number }>();

  function takeOf(tenantId: string): number {
    const now = clock.monotonic();
    const { left, at } = workspaces.get(tenantId) ?? { left: BURST_S, at: now };
    const cost = 1 / Math.max(LEAST_PER_SECOND, countNodes(tenantId) * SHARE_PER_SECOND);
    const there = Math.min(BURST_S, left + (now - at) / 1000);
    workspaces.delete(tenantId);
    // Tenths of a second do not add up to whole ones.
    const isEnough = there > cost - 1e-6;
    workspaces.set(tenantId, { left: isEnough ? there - cost : there, at: now });
    const first = workspaces.keys().next();
    if (workspaces.size > MAX_WORKSPACES && !first.done) workspaces.delete(first.value);
    return isEnough ? 0 : 1;
  }

  return {
    assertNode: (nodeId) => takeOne(nodes, nodeId),
    assertRefused: (nodeId) => takeOne(refused, nodeId),
    assertWorkspace: ({ tenantId }) => assertNoWait(takeOf(tenantId)),
  };
}

import { agentFail } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts } from "./port.ts";
import { sizeOf, type TenantRoster } from "./roster.ts";

/** Characters that the nodes of a workspace may have told, all together: a usual node tells five thousand. */
const ROOM_LEAST = 2_000_000;
const ROOM_OF_NODE = 24_000;

/** Counts what is on its way to memory as if it were there: many nodes may tell much at the same moment. */
export function createRoom() {
  const underWay = new Map<string, number>();

  function add(tenantId: string, size: number): void {
    const next = (underWay.get(tenantId) ?? 0) + size;
    if (next > 0) underWay.set(tenantId, next);
    else underWay.delete(tenantId);
  }

  return {
    /**
     * Takes the room for what a node tells now until the returned function is called: then it is kept, or was not written down.
     * Throws `workspace_full` for more than a workspace has room for.
     */
    take({ nodes, size }: TenantRoster, before: NodeFacts, after: NodeFacts): () => void {
      const { tenant_id: tenantId } = before;
      const limit = ROOM_LEAST + ROOM_OF_NODE * nodes.size;
      const more = Math.max(0, sizeOf(after) - sizeOf(before));
      const isFull = size() + (underWay.get(tenantId) ?? 0) + more > limit;
      if (more > 0 && isFull) throw agentFail("workspace_full", { limit, nodes: nodes.size });
      add(tenantId, more);
      return () => add(tenantId, -more);
    },
  };
}

import type { FleetChange, NodeFacts } from "./port.ts";

/** The nodes of one workspace. */
export interface TenantRoster {
  readonly nodes: Map<string, NodeFacts>;
  /** The nodes as a list; null while it has to be made anew. */
  list: NodeFacts[] | null;
  /** Rises when a node comes, goes, or its facts change. */
  version: number;
  readonly listeners: Set<(change: FleetChange) => void>;
}

/** Which nodes there are, and whose. */
export function createRoster() {
  const byId = new Map<string, NodeFacts>();
  const byNo: (NodeFacts | undefined)[] = [];
  const tenants = new Map<string, TenantRoster>();

  function tenant(id: string): TenantRoster {
    const known = tenants.get(id);
    if (known) return known;
    const fresh: TenantRoster = { nodes: new Map(), list: null, version: 0, listeners: new Set() };
    tenants.set(id, fresh);
    return fresh;
  }

  function tell(tenantId: string, change: FleetChange): void {
    for (const listener of tenants.get(tenantId)?.listeners ?? []) listener(change);
  }

  function touch(tenantId: string, nodeId: string): void {
    const roster = tenant(tenantId);
    roster.list = null;
    roster.version += 1;
    tell(tenantId, { kind: "facts", node_id: nodeId });
  }

  function forget(facts: NodeFacts): void {
    byId.delete(facts.id);
    delete byNo[facts.no];
    tenant(facts.tenant_id).nodes.delete(facts.id);
  }

  return {
    tenant,
    tell,
    find: (id: string): NodeFacts | null => byId.get(id) ?? null,
    at: (no: number): NodeFacts | null => byNo[no] ?? null,
    count: () => byId.size,
    /** The numbers of all nodes in their order. */
    numbers: () => [...byId.values()].map(({ no }) => no).sort((a, b) => a - b),
    each: (visit: (facts: NodeFacts) => void) => byId.forEach(visit),
    /** Adds or replaces a node; gives what was known of it before. Throws when another node has its number. */
    put(facts: NodeFacts): NodeFacts | null {
      const holder = byNo[facts.no];
      if (holder && holder.id !== facts.id) throw new Error(`node number ${facts.no} is ${holder.id}, not ${facts.id}`);
      const before = byId.get(facts.id) ?? null;
      if (before) forget(before);
      byId.set(facts.id, facts);
      byNo[facts.no] = facts;
      tenant(facts.tenant_id).nodes.set(facts.id, facts);
      if (before && before.tenant_id !== facts.tenant_id) touch(before.tenant_id, facts.id);
      touch(facts.tenant_id, facts.id);
      return before;
    },
    /** Forgets a node; gives what was known of it. */
    remove(id: string): NodeFacts | null {
      const before = byId.get(id) ?? null;
      if (!before) return null;
      forget(before);
      touch(before.tenant_id, id);
      return before;
    },
  };
}

export type Roster = ReturnType<typeof createRoster>;

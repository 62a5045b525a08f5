import type { FleetChange, NodeFacts } from "./port.ts";

/** With this share of the list replaced it is made anew. */
const MANY = 8;

/** The nodes of one workspace. */
export interface TenantRoster {
  readonly nodes: ReadonlyMap<string, NodeFacts>;
  /** The nodes in the order in which they came; the same array until `version` rises. */
  list(): readonly NodeFacts[];
  /** Rises when a node comes, goes, or its facts change. */
  version(): number;
  readonly listeners: Set<(change: FleetChange) => void>;
  /** Characters that its nodes have told of their hosts and apps, all together. */
  size(): number;
}

/** What a node has told, in characters. */
export const sizeOf = (facts: NodeFacts | undefined): number => (facts ? facts.inventory_size + facts.apps_size : 0);

/** Keeps the nodes of one workspace; `place` is where each stands in the list, by its number, for all workspaces together. */
function createTenantRoster(place: number[]) {
  const nodes = new Map<string, NodeFacts>();
  let list: readonly NodeFacts[] | null = null;
  /** What was replaced since the list was made. */
  let replaced: NodeFacts[] = [];
  let version = 0;
  let size = 0;

  function forgetList(): void {
    list = null;
    replaced = [];
  }

  function listAnew(): readonly NodeFacts[] {
    const fresh = [...nodes.values()];
    for (const [index, { no }] of fresh.entries()) place[no] = index;
    return fresh;
  }

  /** A copy with what was replaced: quicker by far than to walk a large map. */
  function renewed(old: readonly NodeFacts[]): readonly NodeFacts[] {
    const fresh = old.slice();
    for (const facts of replaced) fresh[place[facts.no] ?? fresh.length] = facts;
    return fresh;
  }

  return {
    nodes,
    listeners: new Set<(change: FleetChange) => void>(),
    version: () => version,
    size: () => size,
    list(): readonly NodeFacts[] {
      if (list === null) list = listAnew();
      else if (replaced.length > 0) list = renewed(list);
      replaced = [];
      return list;
    },
    /** Adds a node at the end, or puts its new facts where the old ones stood. */
    put(facts: NodeFacts): void {
      if (list !== null && nodes.has(facts.id) && replaced.length < list.length / MANY) replaced.push(facts);
      else forgetList();
      size += sizeOf(facts) - sizeOf(nodes.get(facts.id));
      nodes.set(facts.id, facts);
      version += 1;
    },
    remove(id: string): void {
      size -= sizeOf(nodes.get(id));
      nodes.delete(id);
      forgetList();
      version += 1;
    },
  };
}

/** Which nodes there are, and whose. */
export function createRoster() {
  const byId = new Map<string, NodeFacts>();
  const byNo: (NodeFacts | undefined)[] = [];
  const place: number[] = [];
  const tenants = new Map<string, ReturnType<typeof createTenantRoster>>();

  function tenant(id: string) {
    const known = tenants.get(id);
    if (known) return known;
    const fresh = createTenantRoster(place);
    tenants.set(id, fresh);
    return fresh;
  }

  function tell(tenantId: string, change: FleetChange): void {
    for (const listener of tenants.get(tenantId)?.listeners ?? []) listener(change);
  }

  function forget(facts: NodeFacts): void {
    byId.delete(facts.id);
    delete byNo[facts.no];
    tenant(facts.tenant_id).remove(facts.id);
    tell(facts.tenant_id, { kind: "facts", node_id: facts.id });
  }

  return {
    tenant: (id: string): TenantRoster => tenant(id),
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
      if (before && (before.no !== facts.no || before.tenant_id !== facts.tenant_id)) forget(before);
      byId.set(facts.id, facts);
      byNo[facts.no] = facts;
      tenant(facts.tenant_id).put(facts);
      tell(facts.tenant_id, { kind: "facts", node_id: facts.id });
      return before;
    },
    /** Forgets a node; gives what was known of it. */
    remove(id: string): NodeFacts | null {
      const before = byId.get(id) ?? null;
      if (before) forget(before);
      return before;
    },
  };
}

export type Roster = ReturnType<typeof createRoster>;

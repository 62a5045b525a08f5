import type { AgentDirectory, AgentRecord } from "../agent-listener/index.ts";
import { factsOf, type LiveStore } from "../live/index.ts";
import type { NodeRow } from "./node-store.ts";
import type { Testimony } from "./testify.ts";

/** A node as every request of the agent port needs it. */
export interface KnownNode extends AgentRecord {
  no: number;
  fingerprint: string;
  /** The bundle of roots that it last said it trusts. */
  caId: string;
  /** Whether it has been heard of since it registered. */
  isConnected: boolean;
}

/** All living nodes in memory, kept in step with what is committed. */
export interface NodeDirectory extends AgentDirectory {
  find(nodeId: string): KnownNode | null;
  put(row: NodeRow): void;
  change(nodeId: string, change: Partial<Pick<KnownNode, "fingerprint" | "caId" | "isConnected">>): void;
  /** The node was deleted: nobody speaks for it from here on. */
  remove(nodeId: string): void;
  /** Ends the connections of a node. */
  revoke(nodeId: string): void;
  /** Nodes of one workspace, or of all. */
  count(tenantId?: string): number;
}

/** A node's row as the directory remembers it. */
function knownOf(row: NodeRow): KnownNode {
  return {
    nodeId: row.id,
    tenantId: row.tenant_id,
    isDeleted: false,
    current: row.serial,
    next: row.pending_serial,
    no: row.no,
    fingerprint: row.hardware_fingerprint,
    caId: row.ca_id,
    isConnected: row.connected_at !== null,
  };
}

/**
 * An empty directory; `live` hears of every node that is put or removed. `activate` makes a waiting certificate the only
 * one in the tables and reads the row again; `testify` asks the tables about a certificate.
 */
export function createDirectory(
  live: Pick<LiveStore, "put" | "remove">,
  activate: (nodeId: string, serial: string) => Promise<NodeRow | null>,
  testify: (...given: Parameters<AgentDirectory["testify"]>) => Promise<Testimony>,
): NodeDirectory {
  const nodes = new Map<string, KnownNode>();
  const counts = new Map<string, number>();
  const listeners = new Set<(nodeId: string) => void>();

  function add(tenantId: string, count: number): void {
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + count);
  }

  function put(row: NodeRow): void {
    const former = nodes.get(row.id);
    if (former) add(former.tenantId, -1);
    nodes.set(row.id, knownOf(row));
    add(row.tenant_id, 1);
    live.put(factsOf(row));
  }

  function revoke(nodeId: string): void {
    for (const listener of listeners) listener(nodeId);
  }

  return {
    find: (nodeId) => nodes.get(nodeId) ?? null,
    async activate(nodeId, serial) {
      const row = await activate(nodeId, serial);
      if (row) put(row);
    },
    async testify(certificate, reason) {
      const { word, living } = await testify(certificate, reason);
      if (living) put(living);
      return word;
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    put,
    change(nodeId, change) {
      const known = nodes.get(nodeId);
      if (known) nodes.set(nodeId, { ...known, ...change });
    },
    remove(nodeId) {
      const known = nodes.get(nodeId);
      if (known) add(known.tenantId, -1);
      nodes.delete(nodeId);
      live.remove(nodeId);
      revoke(nodeId);
    },
    revoke,
    count: (tenantId) => (tenantId === undefined ? nodes.size : (counts.get(tenantId) ?? 0)),
  };
}

import type { AgentDirectory, AgentRecord } from "../agent-listener/index.ts";
import { factsOf, type LiveStore } from "../live/index.ts";
import type { NodeRow, NodeStanding } from "./node-store.ts";
import { createReadings, type Reading } from "./readings.ts";
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
  /** Begins to read of a node what `put` is to be given: it is not, when the reading is stale by then. */
  reading(nodeId: string): Reading;
  put(row: NodeRow): void;
  /** Changes what is known of a node, as long as it is the same one. */
  change(node: KnownNode, change: Partial<Pick<KnownNode, "fingerprint" | "caId" | "isConnected">>): void;
  /** The node was deleted from a workspace: nobody speaks for it there from here on. */
  remove(nodeId: string, tenantId: string): void;
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

/** True when memory has the certificates of a node as the tables have them. */
const isKnown = (known: KnownNode | undefined, { tenant_id, no, serial, pending_serial }: NodeStanding): boolean =>
  known?.tenantId === tenant_id && known.no === no && known.current === serial && known.next === pending_serial;

/** What the directory asks of the tables. */
export interface DirectoryTables {
  /** Makes a waiting certificate the only one; memory follows. */
  activate(nodeId: string, serial: string): Promise<void>;
  /** What they say about a certificate. */
  testify(...given: Parameters<AgentDirectory["testify"]>): Promise<Testimony>;
  /** Lets memory follow them. */
  follow(nodeId: string): Promise<void>;
}

/** An empty directory; `live` hears of every node that is put or removed. */
export function createDirectory(live: Pick<LiveStore, "put" | "remove">, tables: DirectoryTables): NodeDirectory {
  const nodes = new Map<string, KnownNode>();
  const counts = new Map<string, number>();
  const listeners = new Set<(nodeId: string) => void>();
  const readings = createReadings();

  function add(tenantId: string, count: number): void {
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + count);
  }

  function put(row: NodeRow): void {
    readings.learnt(row.id);
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
    reading: readings.begin,
    activate: tables.activate,
    async testify(certificate, reason) {
      const { word, living } = await tables.testify(certificate, reason);
      // Not taken over from here: this was read beside whatever else happens to the node.
      if (living && !isKnown(nodes.get(certificate.nodeId), living)) await tables.follow(certificate.nodeId);
      return word;
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    put,
    change({ nodeId, tenantId, no }, change) {
      const known = nodes.get(nodeId);
      if (known?.no === no && known.tenantId === tenantId) nodes.set(nodeId, { ...known, ...change });
    },
    remove(nodeId, tenantId) {
      readings.learnt(nodeId);
      const known = nodes.get(nodeId);
      // Another workspace enrolled it, and that was heard of first.
      if (known && known.tenantId !== tenantId) return;
      if (known) add(tenantId, -1);
      nodes.delete(nodeId);
      live.remove(nodeId);
      revoke(nodeId);
    },
    revoke,
    count: (tenantId) => (tenantId === undefined ? nodes.size : (counts.get(tenantId) ?? 0)),
  };
}

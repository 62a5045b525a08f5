import type { HeartbeatInput, HeartbeatOutput } from "../../../shared/agent-protocol/index.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import type { AgentIdentity } from "../agent-listener/index.ts";
import type { SampleReads } from "../samples/port.ts";
import type { Reason, Verdict } from "./health.ts";

/** One app as its node last told. */
export type AppReport = NonNullable<HeartbeatInput["apps"]>[number];

/** What is kept of what a node tells about its host: what `inventoryOf` reads. */
export type Inventory = Readonly<NonNullable<HeartbeatInput["inventory"]>>;

/** What is known of a node besides its figures. Replaced whole on change, never edited in place. Times are milliseconds. */
export interface NodeFacts {
  /** The node's dense number, under which its figures are kept. Never given to another node. */
  no: number;
  id: string;
  tenant_id: string;
  hostname: string;
  version: string;
  region: string | null;
  region_source: "manual" | "auto" | null;
  zone: string | null;
  cloud_provider: string | null;
  ip_address: string | null;
  public_ip: string | null;
  ip_addresses: readonly string[];
  tags: readonly string[];
  client_id: string | null;
  client_name: string | null;
  group_id: string | null;
  registered_at: number;
  first_seen_at: number | null;
  certificate_end: number;
  marked_offline: boolean;
  inventory: Inventory | null;
  /** SHA-256 of the whole of what it told of its host, as JSON. */
  inventory_hash: string | null;
  apps: readonly AppReport[];
  /** How many of `apps` are failed; see `countFailedApps`. */
  failed_apps: number;
  /** Characters of both as JSON. */
  inventory_size: number;
  apps_size: number;
}

/** What a node last measured; NaN where it could not. */
export interface NodeFigures {
  /** Milliseconds; 0 when it never connected. */
  last_seen: number;
  /** Percent. */
  cpu: number;
  memory: number;
  disk: number;
  /** Bytes per second. */
  net_in: number;
  net_out: number;
  uptime_seconds: number;
  /** Percent of the requests to the node itself that failed unforeseen, before its last heartbeat, and how many there were. */
  error_rate: number;
  requests: number;
  /** The node calls itself critical. */
  critical: boolean;
}

/** The figures of all nodes, indexed by `no`, for scans. Ask anew for each scan: they are replaced when they grow. */
export interface FleetColumns {
  readonly last_seen: Float64Array;
  readonly cpu: Float64Array;
  readonly memory: Float64Array;
  readonly disk: Float64Array;
  readonly net_in: Float64Array;
  readonly net_out: Float64Array;
  readonly uptime_seconds: Float64Array;
  readonly error_rate: Float64Array;
  readonly requests: Float64Array;
}

/** A node's last hour, one point a minute, oldest first; minutes without a heartbeat are left out, NaN is unknown. */
export interface LastHour {
  /** Start of the minute, milliseconds. */
  t: number[];
  cpu: number[];
  mem: number[];
  disk: number[];
  /** Bytes per second. */
  net_in: number[];
}

/** One workspace's nodes, from memory. A `no` of another workspace reads as a node that nobody has heard of. */
export interface TenantFleet {
  readonly tenant_id: string;
  /** All nodes in the order in which they came, whatever changes about them; the same array until `version` rises. */
  nodes(): readonly NodeFacts[];
  /** A node by its id; its apps with what they used last. */
  get(id: string): NodeFacts | null;
  figures(no: number): NodeFigures;
  /** The node's health at this moment. */
  verdict(no: number): Verdict;
  /** Since when a reason of its verdict holds, milliseconds: it stays the same as long as the reason does. */
  since(no: number, reason: Reason): number;
  /** Whether the node has a session with the panel at this moment. */
  isConnected(id: string): boolean;
  lastHour(no: number): LastHour;
  /** Rises when a node comes, goes, or its facts change; figures of nodes and apps leave it alone. */
  version(): number;
  columns(): FleetColumns;
  /** What was measured earlier. */
  readonly history: SampleReads;
}

/** A recorded change of a node's status. */
export interface Transition {
  tenant_id: string;
  node_id: string;
  no: number;
  /** Milliseconds. */
  at: number;
  from: Verdict["status"];
  to: Verdict["status"];
  /** Why it is what it is now. */
  reasons: Verdict["reasons"];
}

/** What a workspace's listeners are told: its facts, or the recorded status of one of its nodes, changed. */
export type FleetChange = { kind: "facts"; node_id: string } | { kind: "status"; transition: Transition };

/** The nodes of all workspaces, in memory; the database is where they come back from after a restart. */
export interface LiveStore {
  of(tenantId: string): TenantFleet;
  /** The nodes of the workspace that the actor's database is of; handlers reach no others. */
  fleetOf(actor: { db: TenantDb }): TenantFleet;
  /** Adds a node, or replaces what is known of it, moving it to another workspace if the facts say so. */
  put(facts: NodeFacts): void;
  /** Forgets a node; does nothing when there is none. */
  remove(id: string): void;
  /** Takes a node's report; answers when it is on disk: what was acknowledged comes back after a crash. Throws `node_deleted`. */
  heartbeat(input: HeartbeatInput, node: AgentIdentity): Promise<HeartbeatOutput>;
  /** Told of every heartbeat once it is durable; `first` for a node's very first. Returns how to stop that. */
  onSeen(listener: (nodeId: string, tenantId: string, first: boolean) => void): () => void;
  /** Told of changes in one workspace. Returns how to stop that. */
  onChange(tenantId: string, listener: (change: FleetChange) => void): () => void;
  /** Nodes of all workspaces. */
  count(): number;
  /** Brings back the figures of the last run and begins to watch for silence. */
  start(): Promise<void>;
  /** Resolves when every change that began is on disk, or was refused. */
  settled(): Promise<void>;
  /** Ends with everything written. */
  stop(): Promise<void>;
}

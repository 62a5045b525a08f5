import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import { FleetAlert, Status } from "../fleet/contract.ts";

const Count = t.Integer();

export const OverviewRange = t.Union([t.Literal("1h"), t.Literal("6h"), t.Literal("24h"), t.Literal("7d")]);
export type OverviewRange = Static<typeof OverviewRange>;

export const OverviewQuery = t.Object({
  range: t.Optional(OverviewRange),
  /** How many of the busiest nodes; default 5. */
  top: t.Optional(t.Integer({ minimum: 0, maximum: 50 })),
  /** How many recent alerts; default 10. */
  alerts: t.Optional(t.Integer({ minimum: 0, maximum: 50 })),
});

/** `delta` is the change since the snapshot closest to 24 hours earlier; null until there is one. */
const Counted = t.Object({ value: Count, delta: Nullable(t.Integer()) });

/** Counts of one region, or of all. */
const Tally = { total: Count, online: Count, degraded: Count, offline: Count };

export const TopNode = t.Object({
  id: t.String(),
  hostname: t.String(),
  region: NullableText,
  status: Status,
  cpu_percent: t.Number(),
  memory_percent: NullableNumber,
  disk_percent: NullableNumber,
});
export type TopNode = Static<typeof TopNode>;

/** Nodes without a region are those of `unknown`. */
export const RegionTally = t.Object({ region: t.String(), ...Tally });
export type RegionTally = Static<typeof RegionTally>;

export const Overview = t.Object({
  range: OverviewRange,
  generated_at: t.String(),
  /** Null for an empty fleet. */
  healthy_pct: NullableNumber,
  totals: t.Object({ total: Counted, online: Counted, degraded: Counted, offline: Counted }),
  /** Those of the offline ones that were never heard of. */
  never_connected: Count,
  /** Those of the offline ones of which nobody knows how they are, because the panel has just started. */
  not_yet_heard: Count,
  /** What the fleet is divided into: an MSP's clients, or else groups. */
  tenants: t.Object({
    value: Count,
    delta: Nullable(t.Integer()),
    kind: t.Union([t.Literal("clients"), t.Literal("groups")]),
  }),
  incidents: t.Object({
    open: Count,
    delta: Nullable(t.Integer()),
    max_severity: t.Union([t.Literal("info"), t.Literal("warning"), t.Literal("critical"), t.Null()]),
  }),
  /** How many of all nodes run the newest version that any of them runs. */
  newest_version: t.Object({ version: NullableText, count: Count, total: Count }),
  /** Percentiles over the nodes that reported in a bucket; buckets without any are left out. */
  cpu: t.Object({
    bucket_seconds: Count,
    points: t.Array(t.Object({ t: t.String(), p50: t.Number(), p95: t.Number(), nodes: Count })),
  }),
  /** Over the nodes that are not offline; null without any. */
  resources: t.Object({ avg_cpu: NullableNumber, avg_mem: NullableNumber, avg_disk: NullableNumber, nodes: Count }),
  top_cpu: t.Array(TopNode),
  recent_alerts: t.Array(FleetAlert),
  open_alerts: Count,
  regions: t.Array(RegionTally),
});
export type Overview = Static<typeof Overview>;

export const HeatMetric = t.Union([t.Literal("cpu"), t.Literal("mem"), t.Literal("disk")]);
export type HeatMetric = Static<typeof HeatMetric>;

export const HeatmapQuery = t.Object({ metric: t.Optional(HeatMetric) });

export const HeatCell = t.Object({
  id: t.String(),
  host: t.String(),
  status: Status,
  /** Percent; null while unknown and for nodes that are offline. */
  value: NullableNumber,
  /** The name of the MSP client. */
  tenant: NullableText,
});
export type HeatCell = Static<typeof HeatCell>;

/** Regions by name, `unknown` last; cells by host name. `avg` is over the cells that have a value. */
export const HeatRow = t.Object({ region: t.String(), ...Tally, avg: NullableNumber, cells: t.Array(HeatCell) });
export type HeatRow = Static<typeof HeatRow>;

export const Heatmap = t.Object({ metric: HeatMetric, total: Count, rows: t.Array(HeatRow) });
export type Heatmap = Static<typeof Heatmap>;

/** The answer without `metric`: processor figures, all regions in one list. */
export const HeatCells = t.Object({ cells: t.Array(HeatCell) });
export type HeatCells = Static<typeof HeatCells>;

/** `nodes` is the same as `total`. */
export const Region = t.Object({ ...RegionTally.properties, nodes: Count });
export type Region = Static<typeof Region>;

export const ClusterHealth = t.Union([t.Literal("ok"), t.Literal("degraded"), t.Literal("down")]);
export type ClusterHealth = Static<typeof ClusterHealth>;

/** `id` is null for a member that is not registered in this workspace. */
export const MemberRef = t.Object({ id: NullableText, host: t.String() });
const Leader = Nullable(MemberRef);

export const Cluster = t.Object({
  id: t.String(),
  name: t.String(),
  health: ClusterHealth,
  primary: Leader,
  node_count: Count,
  online_count: Count,
  raft: t.Object({ term: NullableNumber }),
  client_name: NullableText,
});
export type Cluster = Static<typeof Cluster>;

export const CLUSTERS_MAX = 1_000;

/** A part of the list, which has no room for a total: a page that is not full is the last one. */
export const ClustersQuery = t.Object({
  page: t.Optional(t.Integer({ minimum: 1, maximum: 100_000 })),
  /** Default and most: `CLUSTERS_MAX`. */
  per_page: t.Optional(t.Integer({ minimum: 1, maximum: CLUSTERS_MAX })),
});

export const ClusterParams = t.Object({
  id: t.String({
    minLength: 1,
    maxLength: 64,
    pattern: "^[A-Za-z0-9_.:-]+$",
    description: "must be the id of a cluster",
  }),
});

export const ClusterNode = t.Object({
  /** The node's id, or `os:<id>` for a member that is not registered in this workspace. */
  key: t.String(),
  id: NullableText,
  host: t.String(),
  /** Of a member that is not registered: as the others see it. */
  status: Status,
  role: t.String(),
  wg_ip: NullableText,
  rtt_ms: NullableNumber,
  managed: t.Boolean(),
});
export type ClusterNode = Static<typeof ClusterNode>;

/** Between two members; `from` and `to` are their keys. */
export const ClusterLink = t.Object({
  from: t.String(),
  to: t.String(),
  state: t.Union([t.Literal("up"), t.Literal("degraded"), t.Literal("down")]),
  rtt_ms: NullableNumber,
});
export type ClusterLink = Static<typeof ClusterLink>;

export const Topology = t.Object({
  cluster_id: t.String(),
  name: t.String(),
  health: ClusterHealth,
  primary: Leader,
  nodes: t.Array(ClusterNode),
  links: t.Array(ClusterLink),
  raft: t.Object({ term: NullableNumber, leader: Leader, commit_index: NullableNumber }),
  /** Median over the links that are up. */
  mesh_rtt_ms: NullableNumber,
  /** Apps over all members in this workspace. */
  apps: Count,
  client_name: NullableText,
});
export type Topology = Static<typeof Topology>;

export const fail = defineErrors({
  cluster_not_found: [
    404,
    "No node of this workspace reports to be in a cluster {id}. Look at the list of clusters again.",
  ],
});

const access = can("fleet:read");

export const fleetOverviewRoutes = defineRoutes({
  "GET /api/fleet/overview": { access, query: OverviewQuery, out: Overview },
  "GET /api/fleet/heatmap": { access, query: HeatmapQuery, out: t.Union([Heatmap, HeatCells]) },
  "GET /api/fleet/regions": { access, out: t.Array(Region) },
  "GET /api/fleet/clusters": { access, query: ClustersQuery, out: t.Array(Cluster) },
  "GET /api/fleet/clusters/{id}/topology": { access, params: ClusterParams, out: Topology },
});
export type FleetOverviewApi = ApiOf<typeof fleetOverviewRoutes>;

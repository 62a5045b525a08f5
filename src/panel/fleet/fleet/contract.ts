import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import { SavedViews, SavedViewsInput } from "./views-contract.ts";

/** Null while nobody measured it. */
const Count = t.Integer();
/** Counts by name; the names are data. */
const Counts = t.Record(t.String(), Count);

/** A node's own name in a path: what its certificate carries. */
export const NodeId = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
  description: "must be the id of a node",
});
export const NodeParams = t.Object({ id: NodeId });
export const InstanceParams = t.Object({ instanceId: NodeId });

export const Health = t.Union([t.Literal("online"), t.Literal("degraded"), t.Literal("offline")]);
export type Health = Static<typeof Health>;

/** `pending` is enrolled and never seen, or not heard yet after a start of the panel; its health is offline. */
export const Status = t.Union([t.Literal("online"), t.Literal("degraded"), t.Literal("offline"), t.Literal("pending")]);
export type Status = Static<typeof Status>;

export const Reason = t.Union([
  t.Literal("heartbeat_late"),
  t.Literal("cpu_high"),
  t.Literal("mem_high"),
  t.Literal("disk_high"),
  t.Literal("agent_critical"),
  t.Literal("app_failed"),
  t.Literal("never_connected"),
  t.Literal("heartbeat_missing"),
  /** Ours: after a start of the panel, until the node is heard or was silent for 90 seconds; no alert goes with it. */
  t.Literal("not_yet_heard"),
]);
export type Reason = Static<typeof Reason>;

export const Instance = t.Object({
  id: t.String(),
  hostname: t.String(),
  /** The same as `hostname`, under the older name. */
  name: t.String(),
  status: Status,
  health: Health,
  degraded_reasons: t.Array(Reason),
  /** Ours: somebody said that it is off; only there until it is heard again. */
  marked_offline: t.Optional(t.Literal(true)),
  version: t.String(),
  region: NullableText,
  /** Who said so: a person, or the node's own surroundings. */
  region_source: t.Union([t.Literal("manual"), t.Literal("auto"), t.Null()]),
  zone: NullableText,
  cloud_provider: NullableText,
  ip_address: NullableText,
  public_ip: NullableText,
  ip_addresses: t.Array(t.String()),
  cpu_percent: NullableNumber,
  memory_percent: NullableNumber,
  disk_percent: NullableNumber,
  tags: t.Array(t.String()),
  group_id: NullableText,
  msp_client_id: NullableText,
  client_name: NullableText,
  uptime_seconds: NullableNumber,
  apps_count: Count,
  failed_apps: Count,
  /** Null until the first one. */
  last_heartbeat: NullableText,
  /** The same as `last_heartbeat`, under the older name. */
  last_seen: NullableText,
});
export type Instance = Static<typeof Instance>;

export const SORTS = [
  "host",
  "ip",
  "region",
  "tenant",
  "cpu",
  "mem",
  "disk",
  "version",
  "uptime",
  "status",
  "last_seen",
] as const;
export type SortName = (typeof SORTS)[number];

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
export const IDS_MAX = 200;

/** Repeatable, and checked where it is read: a list with limits here would fail as a whole, because Elysia decodes it first. */
const Wanted = t.Array(t.String());

export const InstancesQuery = t.Object({
  page: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
  per_page: t.Optional(t.Integer({ minimum: 1, maximum: PAGE_MAX })),
  /** A column, with `-` in front for descending. Default `host`. */
  sort: t.Optional(
    t.String({
      pattern: `^-?(${SORTS.join("|")})$`,
      description: `must be one of ${SORTS.join(", ")}, with - in front for descending`,
    }),
  ),
  /** Given several times it is one of them, as with the four below. */
  status: t.Optional(Wanted),
  /** A region, or `unknown` for nodes without one. */
  region: t.Optional(Wanted),
  /** Part of a host name, an address, a tag or a location, or a whole node id. */
  q: t.Optional(t.String({ maxLength: 256 })),
  /** A group's id or name. */
  group: t.Optional(Wanted),
  version: t.Optional(Wanted),
  /** The id of an MSP client, or `none` for nodes of no client. */
  tenant: t.Optional(Wanted),
  /** A whole tag, in any case of letters; repeated: all of them. */
  tag: t.Optional(Wanted),
  /** What to leave out, as `region:eu-north`: one of status, region, version, tenant, group, tag and q, and a value. */
  not: t.Optional(Wanted),
  /** A comparison, as `cpu>80`: one of cpu, mem, disk (percent), apps, uptime and seen (seconds), with <, <=, > or >=. Repeated: all of them. */
  where: t.Optional(Wanted),
  /** Separated by commas, repeatable; up to 200 in all. */
  ids: t.Optional(Wanted),
});
export type InstancesQuery = Static<typeof InstancesQuery>;

/** Counted over all but status, region, version and `ids`, so that a facet shows what choosing it would give. */
export const Facets = t.Object({
  status: t.Object({ online: Count, degraded: Count, offline: Count, pending: Count }),
  /** Nodes without a region count as `unknown`. */
  regions: Counts,
  versions: Counts,
  /** By client id; nodes of no client count as `none`. Only in a workspace that has clients. */
  clients: t.Optional(Counts),
});
export type Facets = Static<typeof Facets>;

export const InstancePage = t.Object({
  items: t.Array(Instance),
  total: Count,
  page: Count,
  per_page: Count,
  facets: Facets,
});
export type InstancePage = Static<typeof InstancePage>;

export const Summary = t.Object({
  total_instances: Count,
  healthy: Count,
  degraded: Count,
  offline: Count,
  total_apps: Count,
  total_cpu_cores: Count,
  total_memory_gb: t.Number(),
});
export type Summary = Static<typeof Summary>;

export const FleetHealth = t.Object({
  total: Count,
  healthy_pct: NullableNumber,
  status: Facets.properties.status,
  /** How many nodes have each reason; only reasons that some node has. */
  reasons: Counts,
  /** Nodes that are not online, the worst first; at most 200. */
  unhealthy: t.Array(
    t.Object({
      id: t.String(),
      hostname: t.String(),
      status: Status,
      health: Health,
      degraded_reasons: t.Array(Reason),
      region: NullableText,
      last_heartbeat: NullableText,
    }),
  ),
});
export type FleetHealth = Static<typeof FleetHealth>;

export const Severity = t.Union([t.Literal("info"), t.Literal("warning"), t.Literal("critical")]);
export type Severity = Static<typeof Severity>;

/** What is wrong with a node now. It goes by itself once its reason is gone. */
export const FleetAlert = t.Object({
  /** The same as long as node and reason are. */
  id: t.String(),
  kind: t.Union([t.Literal("node.offline"), t.Literal("node.degraded")]),
  severity: Severity,
  title: t.String(),
  rule: Reason,
  status: t.Literal("open"),
  instance_id: t.String(),
  hostname: t.String(),
  /** Since when; it stays as long as the reason does. */
  at: t.String(),
});
export type FleetAlert = Static<typeof FleetAlert>;

export const ALERTS_MAX = 500;
export const AlertsQuery = t.Object({ limit: t.Optional(t.Integer({ minimum: 1, maximum: ALERTS_MAX })) });
/** Newest first. */
export const FleetAlerts = t.Object({ alerts: t.Array(FleetAlert), total: Count });
export type FleetAlerts = Static<typeof FleetAlerts>;

/** `t` is the time, `v` the value. */
export const Point = t.Object({ t: t.String(), v: t.Number() });
export type Point = Static<typeof Point>;

/** One point a minute over the last hour; `net_in` in bytes per second. */
export const LastHour = t.Object({
  cpu: t.Array(Point),
  mem: t.Array(Point),
  disk: t.Array(Point),
  net_in: t.Array(Point),
});
export type LastHour = Static<typeof LastHour>;

export const InstanceMetrics = t.Object({
  instance_id: t.String(),
  cpu_percent: NullableNumber,
  memory_percent: NullableNumber,
  disk_percent: NullableNumber,
  /** Bytes per second. */
  net_in: NullableNumber,
  net_out: NullableNumber,
  uptime_seconds: NullableNumber,
  last_heartbeat: NullableText,
  metrics: LastHour,
});
export type InstanceMetrics = Static<typeof InstanceMetrics>;

export const HistoryRange = t.Union([
  t.Literal("1h"),
  t.Literal("6h"),
  t.Literal("24h"),
  t.Literal("7d"),
  t.Literal("30d"),
  t.Literal("3mo"),
]);
export type HistoryRange = Static<typeof HistoryRange>;
export const HistoryMetric = t.Union([t.Literal("cpu"), t.Literal("mem"), t.Literal("disk"), t.Literal("net")]);
export type HistoryMetric = Static<typeof HistoryMetric>;

export const HistoryQuery = t.Object({ range: t.Optional(HistoryRange), metric: t.Optional(HistoryMetric) });

/** Pairs of time and value, ascending; a value nobody measured is left out. */
const Series = t.Array(t.Tuple([t.String(), t.Number()]));
export type Series = Static<typeof Series>;

/** Percent, and bytes per second received and sent. A metric that was not asked for is left out. */
export const History = t.Object({
  instance_id: t.String(),
  range: HistoryRange,
  resolution: t.Union([t.Literal("raw"), t.Literal("hour"), t.Literal("day")]),
  cpu: t.Optional(Series),
  mem: t.Optional(Series),
  disk: t.Optional(Series),
  net: t.Optional(Series),
  net_out: t.Optional(Series),
});
export type History = Static<typeof History>;

export const ClusterFacts = t.Object({
  id: t.String(),
  name: t.String(),
  role: t.String(),
  ip: NullableText,
  term: NullableNumber,
});

/** What a node is. Null where it has not told. */
export const NodeFactSheet = t.Object({
  os: NullableText,
  kernel: NullableText,
  cpu_model: NullableText,
  cpu_cores: NullableNumber,
  memory_bytes: NullableNumber,
  disk_bytes: NullableNumber,
  boot_time: NullableText,
  uptime_seconds: NullableNumber,
  agent_version: t.String(),
  ip_addresses: t.Array(t.String()),
  ip_address: NullableText,
  public_ip: NullableText,
  region: NullableText,
  zone: NullableText,
  cloud_provider: NullableText,
  /** The MSP client it belongs to. */
  tenant: Nullable(t.Object({ id: t.String(), name: NullableText })),
  group: Nullable(t.Object({ id: t.String(), name: t.String() })),
  cluster: Nullable(ClusterFacts),
  tags: t.Array(t.String()),
  registered_at: t.String(),
  first_seen_at: NullableText,
  last_heartbeat: NullableText,
  last_heartbeat_age_seconds: NullableNumber,
  agent_connected: t.Boolean(),
  certificate_expires_at: t.String(),
  license_plan: t.String(),
});
export type NodeFactSheet = Static<typeof NodeFactSheet>;

export const InstanceApp = t.Object({
  app_id: t.String(),
  name: t.String(),
  status: t.String(),
  image: t.String(),
  /** 100 is one core. */
  cpu_percent: NullableNumber,
  mem_bytes: NullableNumber,
  restart_count: Count,
});
export type InstanceApp = Static<typeof InstanceApp>;

export const InstanceDetail = t.Object({
  instance: Instance,
  facts: NodeFactSheet,
  apps: t.Array(InstanceApp),
  metrics: LastHour,
});
export type InstanceDetail = Static<typeof InstanceDetail>;

export const fail = defineErrors({
  node_not_found: [404, "There is no node {id} in this workspace."],
  too_many_ids: [400, "The query names {count} ids; up to {limit} are possible. Ask in several calls."],
  view_names_clash: [400, "Two views are called {name}. Give each its own name."],
});

const access = can("fleet:read");

export const fleetRoutes = defineRoutes({
  "GET /api/fleet/instances": { access, query: InstancesQuery, out: InstancePage },
  "GET /api/fleet/instances/page": { access, query: InstancesQuery, out: InstancePage },
  "GET /api/fleet/summary": { access, out: Summary },
  "GET /api/fleet/health": { access, out: FleetHealth },
  "GET /api/fleet/alerts": { access, query: AlertsQuery, out: FleetAlerts },
  "GET /api/fleet/metrics/{instanceId}": { access, params: InstanceParams, out: InstanceMetrics },
  "GET /api/fleet/instances/{id}/metrics/history": { access, params: NodeParams, query: HistoryQuery, out: History },
  "GET /api/fleet/instances/{id}/detail": { access, params: NodeParams, out: InstanceDetail },
  "GET /api/fleet/views": { access, out: SavedViews },
  "PUT /api/fleet/views": { access, body: SavedViewsInput, out: SavedViews },
});
export type FleetApi = ApiOf<typeof fleetRoutes>;

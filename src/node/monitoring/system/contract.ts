import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

export const SystemInfo = t.Object({
  hostname: t.String(),
  os: t.String(),
  kernel: t.String(),
  architecture: t.String(),
  version: t.String(),
  uptime_seconds: t.Integer(),
  node_id: t.String(),
});
export type SystemInfo = Static<typeof SystemInfo>;

/** Megabytes and gigabytes are binary ones; `disk` sums all filesystems of `/api/system/disks`. */
export const CurrentMetrics = t.Object({
  cpu: t.Object({ usage_percent: t.Number(), cores: t.Integer(), model: t.String() }),
  memory: t.Object({ total_mb: t.Integer(), used_mb: t.Integer(), usage_percent: t.Number() }),
  disk: t.Object({ total_gb: t.Number(), used_gb: t.Number(), usage_percent: t.Number() }),
  uptime_seconds: t.Integer(),
});
export type CurrentMetrics = Static<typeof CurrentMetrics>;

const Traffic = { rx_bytes_per_sec: t.Integer(), tx_bytes_per_sec: t.Integer() };

export const LiveMetrics = t.Object({
  at: t.String(),
  cpu_percent: t.Number(),
  per_core: t.Array(t.Number()),
  cpu_temp_c: NullableNumber,
  load: t.Tuple([t.Number(), t.Number(), t.Number()]),
  ram_used_bytes: t.Integer(),
  ram_total_bytes: t.Integer(),
  swap_used_bytes: t.Integer(),
  /** `iface` is empty on a machine without any network. */
  net: t.Object({ iface: t.String(), ...Traffic }),
  ifaces: t.Array(t.Object({ name: t.String(), ...Traffic })),
  disk_io: t.Object({ read_bytes_per_sec: t.Integer(), write_bytes_per_sec: t.Integer() }),
});
export type LiveMetrics = Static<typeof LiveMetrics>;

export const FilesystemEntry = t.Object({
  device: t.String(),
  mount_point: t.String(),
  fs_type: t.String(),
  total_bytes: t.Integer(),
  used_bytes: t.Integer(),
  free_bytes: t.Integer(),
  usage_percent: t.Number(),
});
export type FilesystemEntry = Static<typeof FilesystemEntry>;

export const BackupStatus = t.UnionEnum(["ok", "stale", "failed", "none"]);

export const SystemOverview = t.Object({
  hostname: t.String(),
  os: t.String(),
  kernel: t.String(),
  arch: t.String(),
  cpu_model: t.String(),
  cpu_cores: t.Integer(),
  cpu_threads: t.Integer(),
  ram_total_bytes: t.Integer(),
  uptime_seconds: t.Integer(),
  version: t.String(),
  apps: t.Object({ installed: t.Integer(), running: t.Integer() }),
  containers: t.Object({ running: t.Integer(), total: t.Integer() }),
  proxy_routes: t.Integer(),
  backup: t.Object({
    status: BackupStatus,
    last_success_at: NullableText,
    last_verified_at: NullableText,
    last_size_bytes: t.Integer(),
    /** Apps that the newest backup which was to have them is without; left out where there are none. */
    left_out: t.Optional(
      t.Object({ apps: t.Array(t.Object({ id: t.String(), name: t.String() })), next_step: t.String() }),
    ),
  }),
  alerts: t.Object({ open: t.Integer(), critical: t.Integer() }),
  security: t.Object({ score: t.Integer(), max: t.Integer(), last_scan_at: NullableText }),
});
export type SystemOverview = Static<typeof SystemOverview>;

const access = user("monitoring");

export const systemRoutes = defineRoutes({
  "GET /api/system/info": { access, out: SystemInfo },
  "GET /api/system/overview": { access, out: SystemOverview },
  "GET /api/system/disks": { access, out: t.Array(FilesystemEntry) },
  "GET /api/system/metrics/current": { access, out: CurrentMetrics },
  "GET /api/system/metrics/live": { access, out: LiveMetrics },
  /** Text of Prometheus; scrapers bring an API key with the scope monitoring. */
  "GET /api/prometheus": { access, out: t.String() },
});
export type SystemApi = ApiOf<typeof systemRoutes>;

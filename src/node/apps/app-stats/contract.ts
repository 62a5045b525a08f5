import { type Static, t } from "elysia";

export const ServiceStats = t.Object({ name: t.String(), cpu_percent: t.Number(), memory_usage_mb: t.Number() });

/** What an app uses now. 100 cpu_percent is one core; memory leaves out the inactive file cache. */
export const AppStats = t.Object({
  app_id: t.String(),
  cpu_percent: t.Number(),
  memory_usage_mb: t.Number(),
  /** Sum of the services' limits; the server's memory when one of them has none. */
  memory_limit_mb: t.Number(),
  network_rx_bytes: t.Number(),
  network_tx_bytes: t.Number(),
  disk_usage_mb: t.Number(),
  services: t.Array(ServiceStats),
});
export type AppStats = Static<typeof AppStats>;

export const AppStatsParams = t.Object({ id: t.String({ maxLength: 64 }) });

export type AppStatsApi = { "GET /api/apps/{id}/stats": { out: AppStats } };

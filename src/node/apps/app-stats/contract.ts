import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { user } from "../../access.ts";

const ServiceStats = t.Object({ name: t.String(), cpu_percent: t.Number(), memory_usage_mb: t.Number() });

/** What an app uses now. 100 cpu_percent is one core; memory leaves out the inactive file cache. */
const AppStats = t.Object({
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

export const appStatsRoutes = defineRoutes({
  "GET /api/apps/{id}/stats": {
    access: user("apps"),
    params: t.Object({ id: t.String({ maxLength: 64 }) }),
    out: AppStats,
  },
});
export type AppStatsApi = ApiOf<typeof appStatsRoutes>;

import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableNumber } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

const ServiceStats = t.Object({ name: t.String(), cpu_percent: t.Number(), memory_usage_mb: NullableNumber });

/**
 * What an app uses now. 100 cpu_percent is one core; memory leaves out the inactive file cache. Null is what nobody counted:
 * the kernel keeps no account of it, the network is the host's, or the disk has not been measured yet.
 */
const AppStats = t.Object({
  app_id: t.String(),
  cpu_percent: t.Number(),
  memory_usage_mb: NullableNumber,
  /** Sum of the services' limits; the server's memory when one of them has none; null when that is not known. */
  memory_limit_mb: NullableNumber,
  network_rx_bytes: NullableNumber,
  network_tx_bytes: NullableNumber,
  disk_usage_mb: NullableNumber,
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

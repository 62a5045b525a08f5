import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createCached } from "../../../lib/cached.ts";
import { toIso } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { createAllApps, readAppMetrics } from "./app-points.ts";
import { metricsRoutes, type RecentSamples } from "./contract.ts";
import { readNetworkHistory } from "./history.ts";
import { listInterfaces } from "./interfaces.ts";
import type { Own } from "./needs.ts";
import { readPoints } from "./points.ts";
import { readThreadMetrics } from "./thread-points.ts";

const RECENT_MS = minutes(10);

function readRecent({ ring, clock }: Pick<Own, "ring" | "clock">): RecentSamples {
  return ring.read("host", clock.now() - RECENT_MS, clock.now()).map(({ t: at, values }) => ({
    at: toIso(at),
    cpu_percent: values["cpu_percent"] ?? null,
    ram_used_bytes: values["mem_used_bytes"] ?? null,
    rx_bytes_per_sec: values["net_rx_bps"] ?? null,
    tx_bytes_per_sec: values["net_tx_bps"] ?? null,
    read_bytes_per_sec: values["disk_read_bps"] ?? null,
    write_bytes_per_sec: values["disk_write_bps"] ?? null,
  }));
}

/** What answers the routes of metrics. */
export function bindMetricsRoutes(own: Own): BoundRoutes {
  const interfaces = createCached(own.clock, seconds(2), () => listInterfaces(own));
  const allApps = createAllApps(own);
  return bindRoutes(metricsRoutes, {
    "GET /api/system/metrics": ({ query }) => readPoints(own, query.metric ?? "cpu", query),
    "GET /api/system/metrics/threads": ({ query }) => readThreadMetrics(own, query),
    "GET /api/system/metrics/recent": () => readRecent(own),
    "GET /api/system/apps/metrics": ({ query: { app_id, ...span } }) =>
      app_id === undefined && span.from === undefined && span.to === undefined
        ? allApps(span.range ?? "1h")
        : readAppMetrics(own, span, app_id),
    "GET /api/system/network/interfaces": () => interfaces.get(),
    "GET /api/network/history": ({ query }) => readNetworkHistory(own, query.interface, query.range ?? "1h"),
  });
}

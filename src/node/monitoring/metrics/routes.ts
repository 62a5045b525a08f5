import { Elysia, t } from "elysia";
import { createCached } from "../../../lib/cached.ts";
import { toIso } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { user } from "../../access.ts";
import type { NodeContext, NodeRoutes } from "../../context.ts";
import { createAllApps, readAppMetrics } from "./app-points.ts";
import {
  AppMetrics,
  AppMetricsQuery,
  HistoryQuery,
  MetricsPoints,
  MetricsQuery,
  NetworkHistory,
  NetworkInterface,
  RecentSamples,
} from "./contract.ts";
import { readNetworkHistory } from "./history.ts";
import { listInterfaces } from "./interfaces.ts";
import { readPoints } from "./points.ts";

const RECENT_MS = minutes(10);

function readRecent({ ring, clock }: Pick<NodeContext, "ring" | "clock">): RecentSamples {
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

const access = user("monitoring");

export const metricsRoutes: NodeRoutes = (ctx) => {
  const interfaces = createCached(ctx.clock, seconds(2), () => listInterfaces(ctx));
  const allApps = createAllApps(ctx);
  return new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .get("/system/metrics", ({ query }) => readPoints(ctx, query.metric ?? "cpu", query.range ?? "1h"), {
      access,
      query: MetricsQuery,
      response: MetricsPoints,
    })
    .get("/system/metrics/recent", () => readRecent(ctx), { access, response: RecentSamples })
    .get(
      "/system/apps/metrics",
      ({ query: { range = "1h", app_id } }) =>
        app_id === undefined ? allApps(range) : readAppMetrics(ctx, range, app_id),
      { access, query: AppMetricsQuery, response: AppMetrics },
    )
    .get("/system/network/interfaces", () => interfaces.get(), { access, response: t.Array(NetworkInterface) })
    .get("/network/history", ({ query }) => readNetworkHistory(ctx, query.interface, query.range ?? "1h"), {
      access,
      query: HistoryQuery,
      response: NetworkHistory,
    });
};

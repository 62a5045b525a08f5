import { toIso } from "../../../lib/clock.ts";
import type { NodeContext } from "../../context.ts";
import { getApp, listAppNames } from "../apps/index.ts";
import type { AppMetrics, AppSeries, MetricsRange } from "./contract.ts";
import { type Axis, axisOf, mapAxis } from "./points.ts";
import type { SeriesRow } from "./series.ts";

type Deps = Pick<NodeContext, "series" | "clock" | "db">;

const FIGURES = ["cpu_percent", "mem_bytes", "net_rx_bps", "net_tx_bps"];

function appSeries({ series }: Deps, axis: Axis, id: string, name: string): AppSeries {
  const rows = series.read(`app:${id}`, axis.tier, axis.fromMs, axis.toMs, FIGURES);
  const column = (figure: string, scale: number): (number | null)[] =>
    mapAxis(axis, rows, (_, row: SeriesRow | undefined) => {
      const value = row?.avg[figure] ?? null;
      return value === null ? null : Math.round(value * scale) / scale;
    });
  return {
    app_id: id,
    name,
    cpu_percent: column("cpu_percent", 100),
    memory_bytes: column("mem_bytes", 1),
    rx_bytes_per_sec: column("net_rx_bps", 1),
    tx_bytes_per_sec: column("net_tx_bps", 1),
  };
}

/** Means of one app, or of all that are installed. Throws `app_not_found`. */
export function readAppMetrics(deps: Deps, range: MetricsRange, appId?: string): AppMetrics {
  const axis = axisOf(range, deps.clock.now());
  const wanted = appId === undefined ? listAppNames(deps.db) : [getApp(deps, appId)];
  return {
    range,
    bucket_seconds: axis.bucketMs / 1000,
    ts: mapAxis(axis, [], (t) => toIso(t)),
    apps: wanted.map(({ id, name }) => appSeries(deps, axis, id, name)),
  };
}

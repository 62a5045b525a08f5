import { toIso } from "../../../lib/clock.ts";
import type { AppMetrics, AppSeries, MetricsRange, SpanQuery } from "./contract.ts";
import type { Own } from "./needs.ts";
import { type Axis, axisFor, axisOf, mapAxis } from "./points.ts";
import { FIGURES } from "./series/columns.ts";
import { readAverages } from "./series/series.ts";

type Deps = Pick<Own, "metricsDb" | "clock" | "apps">;

/** In the order of the tables. */
const WANTED = ["cpu_percent", "mem_bytes", "net_rx_bps", "net_tx_bps"] as const;
/** Points of each line when all apps are asked for: as many as a wide chart can show. */
const MAX_POINTS = 360;

/** One value of each figure for every `step` buckets of the axis: the mean of what was seen in them. */
function columnsOf(deps: Deps, axis: Axis, step: number, id: string): (number | null)[][] {
  const { tier, fromMs, toMs, bucketMs } = axis;
  const size = Math.ceil((toMs - fromMs) / bucketMs / step);
  const sums = WANTED.map(() => new Float64Array(size));
  const weights = WANTED.map(() => new Float64Array(size));
  const rows = readAverages(deps.metricsDb, deps.clock, { entity: `app:${id}`, tier, fromMs, toMs, figures: WANTED });
  for (const { bucket, n, avg } of rows) {
    const place = Math.floor((bucket - fromMs / bucketMs) / step);
    for (const [index, value] of avg.entries()) {
      const [sum, weight] = [sums[index], weights[index]];
      if (value === null || !sum || !weight) continue;
      sum[place] = (sum[place] ?? 0) + value * n;
      weight[place] = (weight[place] ?? 0) + n;
    }
  }
  return WANTED.map((name, index) =>
    Array.from(sums[index] ?? [], (sum, place) => {
      const weight = weights[index]?.[place] ?? 0;
      // Percents are kept in thousandths; hundredths are enough to show.
      if (weight === 0) return null;
      return FIGURES.app[name] === 1000 ? Math.round(sum / weight / 10) / 100 : Math.round(sum / weight);
    }),
  );
}

function appSeries(deps: Deps, axis: Axis, step: number, { id, name }: { id: string; name: string }): AppSeries {
  const [cpu = [], memory = [], rx = [], tx = []] = columnsOf(deps, axis, step, id);
  return {
    app_id: id,
    name,
    cpu_percent: cpu,
    memory_bytes: memory,
    rx_bytes_per_sec: rx,
    tx_bytes_per_sec: tx,
  };
}

/**
 * Means of one app in the buckets that are asked for, or of all that are installed in at most 360 of them. Throws
 * `app_not_found` and `invalid_request`.
 */
export function readAppMetrics(deps: Deps, span: SpanQuery, appId?: string): AppMetrics {
  const axis = axisFor(span, deps.clock.now());
  const buckets = (axis.toMs - axis.fromMs) / axis.bucketMs;
  const step = appId === undefined ? Math.max(1, Math.ceil(buckets / MAX_POINTS)) : 1;
  const wanted = appId === undefined ? deps.apps.names() : [deps.apps.get(appId)];
  return {
    range: span.from === undefined ? (span.range ?? "1h") : null,
    bucket_seconds: (axis.bucketMs * step) / 1000,
    ts: mapAxis({ ...axis, bucketMs: axis.bucketMs * step }, [], (t) => toIso(t)),
    apps: wanted.map((app) => appSeries(deps, axis, step, app)),
  };
}

/** The same for all apps, computed once a minute for each range: until the next one is over nothing changes. */
export function createAllApps(deps: Deps): (range: MetricsRange) => AppMetrics {
  const kept = new Map<MetricsRange, { toMs: number; answer: AppMetrics }>();
  return (range) => {
    const { toMs } = axisOf("1h", deps.clock.now());
    const known = kept.get(range);
    if (known?.toMs === toMs) return known.answer;
    const answer = readAppMetrics(deps, { range });
    kept.set(range, { toMs, answer });
    return answer;
  };
}

import { toIso } from "../../../lib/clock.ts";
import { days, hours } from "../../../lib/duration.ts";
import { leastSquares } from "../../../lib/regression.ts";
import { mean } from "../../../lib/statistics.ts";
import { daysUntil, MAX_DAYS } from "./capacity.ts";
import type { DiskForecast, MetricForecasts, ResourceForecast } from "./contract.ts";
import { dailyUse, listDisks, type Use } from "./daily-use.ts";
import type { Needs } from "./needs.ts";
import { round } from "./predictor.ts";
import { findTrend, MIN_R_SQUARED, type Trend } from "./trend.ts";

type Deps = Pick<Needs, "series" | "clock">;

const FULL_ENOUGH = 90;
/** Hours that a trend of a week needs. */
const MIN_HOURS = 120;
const WEEK_DAYS = 7;

const percent = (value: number): number => round(Math.min(100, Math.max(0, value)));

/** Where the line goes, day by day, until it is full or nobody knows. */
function drawForecast({ slope, intercept, band }: Trend, x: number): DiskForecast["forecast"] {
  const points: DiskForecast["forecast"] = [];
  for (let day = 0; day <= MAX_DAYS; day++) {
    const at = x + day;
    const value = intercept + slope * at;
    const spread = band(at);
    points.push({
      ts: toIso(at * days(1)),
      value: percent(value),
      low: percent(value - spread),
      high: percent(value + spread),
    });
    if (value >= 100 || value <= 0) break;
  }
  return points;
}

function forecastDisk(mount_point: string, { points, current, x }: Use): DiskForecast {
  const found = findTrend(points, current, x);
  const { trend } = found;
  const left = current >= FULL_ENOUGH ? 0 : trend && daysUntil(FULL_ENOUGH, trend);
  return {
    mount_point,
    status: trend ? "ok" : "insufficient_data",
    reason: found.trend ? null : found.reason,
    current_percent: round(current),
    will_reach_90: left !== null,
    days_until_90: left === null ? null : round(left, 1),
    reaches_90_at: left === null ? null : toIso((x + left) * days(1)),
    slope_per_day: trend && round(trend.slope, 4),
    r_squared: trend && round(trend.r_squared, 4),
    points: points.map((point) => ({ ts: toIso(point.x * days(1)), value: percent(point.y) })),
    forecast: trend ? drawForecast(trend, x) : [],
  };
}

const RESOURCES = [
  { resource: "cpu", metrics: ["cpu_percent"], unit: "percent" },
  { resource: "ram", metrics: ["mem_percent"], unit: "percent" },
  { resource: "disk", metrics: ["disk_percent"], unit: "percent" },
  { resource: "network", metrics: ["net_rx_bps", "net_tx_bps"], unit: "bytes_per_second" },
] as const;

function forecastResource({ series, clock }: Deps, { resource, metrics, unit }: (typeof RESOURCES)[number]) {
  const now = clock.now();
  const x = now / days(1);
  const points = series.read("host", "h1", now - days(WEEK_DAYS), now, metrics).flatMap(({ t, avg }) => {
    const values = metrics.flatMap((metric) => avg[metric] ?? []);
    const y = values.reduce((sum, value) => sum + value, 0);
    return values.length === metrics.length ? [{ x: (t + hours(0.5)) / days(1), y }] : [];
  });
  const line = points.length >= MIN_HOURS ? leastSquares(points) : null;
  const empty = {
    resource,
    unit,
    current: null,
    has_trend: false,
    trend_per_day: null,
    r_squared: null,
    in_7_days: null,
  };
  if (!line) {
    const missing = MIN_HOURS - points.length;
    return {
      ...empty,
      status: "insufficient_data",
      reason: `A trend needs 5 days of measurements from the last 7; there are ${Math.floor(points.length / 24)}.`,
      ready_at: missing > 0 ? toIso(now + hours(missing)) : null,
    } satisfies ResourceForecast;
  }
  const hasTrend = line.r_squared >= MIN_R_SQUARED;
  // Without a trend the next week is best guessed to be like this one.
  const ahead = hasTrend ? line.intercept + line.slope * (x + WEEK_DAYS) : mean(points.map(({ y }) => y));
  return {
    ...empty,
    status: "ok",
    reason: null,
    ready_at: null,
    current: round(points.at(-1)?.y ?? ahead),
    has_trend: hasTrend,
    trend_per_day: round(line.slope, 4),
    r_squared: round(line.r_squared, 4),
    in_7_days: unit === "percent" ? percent(ahead) : round(Math.max(0, ahead)),
  } satisfies ResourceForecast;
}

/** Where disks and the server's other resources are heading. */
export function forecastMetrics(deps: Deps): MetricForecasts {
  const disks = listDisks(deps).flatMap(({ mount_point, entity }) => {
    const use = dailyUse(deps, entity, "used_percent");
    return use ? [forecastDisk(mount_point, use)] : [];
  });
  return {
    generated_at: toIso(deps.clock.now()),
    disks,
    resources: RESOURCES.map((resource) => forecastResource(deps, resource)),
  };
}

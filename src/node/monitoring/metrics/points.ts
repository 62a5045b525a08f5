import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { parseMoment } from "../../../lib/moment.ts";
import type { Metric, MetricsPoints, MetricsRange, SpanQuery } from "./contract.ts";
import type { Own } from "./needs.ts";
import { TIERS, type Tier } from "./series/columns.ts";
import type { SeriesRow } from "./series/series.ts";

/** Buckets of one range: their starts, and the tier that has them. */
export interface Axis {
  tier: Tier;
  bucketMs: number;
  /** Start of the first bucket and end of the last one. */
  fromMs: number;
  toMs: number;
}

const RANGES: Record<MetricsRange, { tier: Tier; spanMs: number }> = {
  "1h": { tier: "m1", spanMs: hours(1) },
  "6h": { tier: "m1", spanMs: hours(6) },
  "24h": { tier: "m1", spanMs: hours(24) },
  "7d": { tier: "h1", spanMs: days(7) },
  "30d": { tier: "h1", spanMs: days(30) },
};

/** A bucket that ended this moment may still be on its way to the database. */
const GRACE_MS = 1_500;

/** The bucket after the last one that is shown: minutes are full, hours and days go on to the running one. */
function endOf(tier: Tier, nowMs: number): number {
  const at = (nowMs - GRACE_MS) / TIERS[tier].bucketMs;
  return tier === "m1" ? Math.floor(at) : Math.ceil(at);
}

/** The buckets of `range` up to now: full minutes, but hours with the running one. */
export function axisOf(range: MetricsRange, nowMs: number): Axis {
  const { tier, spanMs } = RANGES[range];
  const { bucketMs } = TIERS[tier];
  const toMs = endOf(tier, nowMs) * bucketMs;
  return { tier, bucketMs, fromMs: toMs - spanMs, toMs };
}

/** "The last 24 hours" as somebody's page knows them began a moment earlier. */
const SLACK_MS = minutes(5);

/** The finest tier that still has all from `fromMs` on. */
function tierSince(fromMs: number, nowMs: number): Tier {
  const reaches = (tier: Tier): boolean => fromMs >= nowMs - SLACK_MS - TIERS[tier].keep * TIERS[tier].bucketMs;
  return (["m1", "h1"] as const).find(reaches) ?? "d1";
}

function momentOf(field: "from" | "to", text: string): number {
  const at = parseMoment(text);
  if (at !== null) return at;
  throw kernelFail("invalid_request", { field, reason: "must be a time like 2026-01-31T12:00:00Z" });
}

/** The buckets that are asked for: a part of the last year by its ends, or a range. Throws `invalid_request`. */
export function axisFor({ range, from, to }: SpanQuery, nowMs: number): Axis {
  if (from === undefined && to !== undefined) {
    throw kernelFail("invalid_request", {
      field: "from",
      reason: "is missing: say where the time that ends at `to` begins",
    });
  }
  if (from === undefined) return axisOf(range ?? "1h", nowMs);
  const start = momentOf("from", from);
  const end = to === undefined ? nowMs : momentOf("to", to);
  if (end <= start) throw kernelFail("invalid_request", { field: "to", reason: "must be after `from`" });
  const tier = tierSince(start, nowMs);
  const { bucketMs, keep } = TIERS[tier];
  const last = endOf(tier, nowMs);
  const first = Math.max(Math.floor(start / bucketMs), last - keep);
  const until = Math.min(Math.ceil(end / bucketMs), last);
  return { tier, bucketMs, fromMs: first * bucketMs, toMs: Math.max(first, until) * bucketMs };
}

/** `make` for each bucket of the axis, with its row if it has one. */
export function mapAxis<T>(
  { bucketMs, fromMs, toMs }: Axis,
  rows: readonly SeriesRow[],
  make: (t: number, row: SeriesRow | undefined) => T,
): T[] {
  const result: T[] = [];
  let next = 0;
  for (let t = fromMs; t < toMs; t += bucketMs) {
    const row = rows[next]?.t === t ? rows[next] : undefined;
    if (row) next += 1;
    result.push(make(t, row));
  }
  return result;
}

const round = (value: number | null | undefined, digits: number): number | null =>
  value === null || value === undefined ? null : Math.round(value * 10 ** digits) / 10 ** digits;

const add = (a: number | null | undefined, b: number | null | undefined): number | null =>
  a === null || a === undefined || b === null || b === undefined ? null : a + b;

const FIGURES: Record<Metric, readonly string[]> = {
  cpu: ["cpu_percent", "load1", "cpu_temp_c"],
  ram: ["mem_percent", "mem_used_bytes", "swap_used_bytes"],
  disk: ["disk_percent", "disk_read_bps", "disk_write_bps"],
  network: ["net_rx_bps", "net_tx_bps"],
};

/** A point for each bucket that is asked for, oldest first; what was not measured is null. Throws `invalid_request`. */
export function readPoints(
  { series, clock }: Pick<Own, "series" | "clock">,
  metric: Metric,
  span: SpanQuery,
): MetricsPoints {
  const axis = axisFor(span, clock.now());
  const rows = series.read("host", axis.tier, axis.fromMs, axis.toMs, FIGURES[metric]);
  const percents = (t: number, row: SeriesRow | undefined, name: string) => ({
    ts: toIso(t),
    value: round(row?.avg[name], 2),
    max: round(row?.max[name], 2),
  });
  switch (metric) {
    case "cpu":
      return mapAxis(axis, rows, (t, row) => ({
        ...percents(t, row, "cpu_percent"),
        load: round(row?.avg["load1"], 2),
        temp_c: round(row?.avg["cpu_temp_c"], 1),
      }));
    case "ram":
      return mapAxis(axis, rows, (t, row) => ({
        ...percents(t, row, "mem_percent"),
        used_bytes: round(row?.avg["mem_used_bytes"], 0),
        swap_used_bytes: round(row?.avg["swap_used_bytes"], 0),
      }));
    case "disk":
      return mapAxis(axis, rows, (t, row) => ({
        ...percents(t, row, "disk_percent"),
        read_bytes_per_sec: round(row?.avg["disk_read_bps"], 0),
        read_bytes_per_sec_max: round(row?.max["disk_read_bps"], 0),
        write_bytes_per_sec: round(row?.avg["disk_write_bps"], 0),
        write_bytes_per_sec_max: round(row?.max["disk_write_bps"], 0),
      }));
    case "network":
      return mapAxis(axis, rows, (t, row) => ({
        ts: toIso(t),
        value: round(add(row?.avg["net_rx_bps"], row?.avg["net_tx_bps"]), 0),
        // Both directions need not peak in one sample, so this is the most that it can have been.
        max: round(add(row?.max["net_rx_bps"], row?.max["net_tx_bps"]), 0),
        rx_bytes_per_sec: round(row?.avg["net_rx_bps"], 0),
        rx_bytes_per_sec_max: round(row?.max["net_rx_bps"], 0),
        tx_bytes_per_sec: round(row?.avg["net_tx_bps"], 0),
        tx_bytes_per_sec_max: round(row?.max["net_tx_bps"], 0),
      }));
  }
}

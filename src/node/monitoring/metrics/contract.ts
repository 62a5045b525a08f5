import { type Static, t } from "elysia";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

/** Ranges of the series; up to a day in minutes, longer ones in hours. */
export const MetricsRange = t.Union([
  t.Literal("1h"),
  t.Literal("6h"),
  t.Literal("24h"),
  t.Literal("7d"),
  t.Literal("30d"),
]);
export type MetricsRange = Static<typeof MetricsRange>;

export const Metric = t.Union([t.Literal("cpu"), t.Literal("ram"), t.Literal("disk"), t.Literal("network")]);
export type Metric = Static<typeof Metric>;

/** ISO 8601; a time without zone is UTC. */
const Moment = t.String({ minLength: 4, maxLength: 40 });

/** A range up to now, or any part of the last year; with `from`, `range` counts for nothing, and without `to` the part ends now. */
const span = {
  range: t.Optional(MetricsRange),
  from: t.Optional(Moment),
  to: t.Optional(Moment),
};

const SpanQuery = t.Object(span);
export type SpanQuery = Static<typeof SpanQuery>;

const MetricsQuery = t.Object({ ...span, metric: t.Optional(Metric) });

/** Start of the bucket, mean and maximum of the metric's first figure; null where nothing was measured. */
const Point = { ts: t.String(), value: NullableNumber, max: NullableNumber };

/** `value` is percent of all cores; load is that of one minute. */
const CpuPoint = t.Object({ ...Point, load: NullableNumber, temp_c: NullableNumber });
/** `value` is percent of the memory. */
const RamPoint = t.Object({ ...Point, used_bytes: NullableNumber, swap_used_bytes: NullableNumber });
/** `value` is percent of the fullest filesystem. */
const DiskPoint = t.Object({
  ...Point,
  read_bytes_per_sec: NullableNumber,
  read_bytes_per_sec_max: NullableNumber,
  write_bytes_per_sec: NullableNumber,
  write_bytes_per_sec_max: NullableNumber,
});
/** `value` is bytes a second in both directions, of all physical interfaces. */
const NetworkPoint = t.Object({
  ...Point,
  rx_bytes_per_sec: NullableNumber,
  rx_bytes_per_sec_max: NullableNumber,
  tx_bytes_per_sec: NullableNumber,
  tx_bytes_per_sec_max: NullableNumber,
});

/** A point for each bucket of the range, oldest first. */
export const MetricsPoints = t.Union([t.Array(CpuPoint), t.Array(RamPoint), t.Array(DiskPoint), t.Array(NetworkPoint)]);
export type MetricsPoints = Static<typeof MetricsPoints>;
export type CpuPoint = Static<typeof CpuPoint>;
export type RamPoint = Static<typeof RamPoint>;
export type DiskPoint = Static<typeof DiskPoint>;
export type NetworkPoint = Static<typeof NetworkPoint>;

const AppMetricsQuery = t.Object({
  ...span,
  app_id: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
});

/** Means of one app, one value for each entry of `ts`; null where it did not run. */
const AppSeries = t.Object({
  app_id: t.String(),
  name: t.String(),
  /** 100 is one core. */
  cpu_percent: t.Array(NullableNumber),
  memory_bytes: t.Array(NullableNumber),
  rx_bytes_per_sec: t.Array(NullableNumber),
  tx_bytes_per_sec: t.Array(NullableNumber),
});
export type AppSeries = Static<typeof AppSeries>;

/**
 * In columns: apps share the buckets. Those of all apps are wide enough for at most 360 of them, those of one are the range's.
 * `range` is null for a part that was asked for by its ends.
 */
export const AppMetrics = t.Object({
  range: Nullable(MetricsRange),
  bucket_seconds: t.Integer(),
  ts: t.Array(t.String()),
  apps: t.Array(AppSeries),
});
export type AppMetrics = Static<typeof AppMetrics>;

/** How busy each thread of the processor was, in percent; wide enough for at most 120 buckets. */
export const ThreadMetrics = t.Object({
  bucket_seconds: t.Integer(),
  ts: t.Array(t.String()),
  /** For each thread one value for each entry of `ts`; null where it was not measured. */
  threads: t.Array(t.Array(NullableNumber)),
});
export type ThreadMetrics = Static<typeof ThreadMetrics>;

export const HistoryRange = t.Union([
  t.Literal("5m"),
  t.Literal("15m"),
  t.Literal("1h"),
  t.Literal("6h"),
  t.Literal("24h"),
]);
export type HistoryRange = Static<typeof HistoryRange>;

const HistoryQuery = t.Object({
  interface: t.String({ minLength: 1, maxLength: 64 }),
  range: t.Optional(HistoryRange),
});

export const NetworkHistory = t.Object({
  interface: t.String(),
  range: HistoryRange,
  bucket_seconds: t.Integer(),
  /** Where nothing was `measured`, the figures are 0. */
  points: t.Array(
    t.Object({
      ts: t.String(),
      rx_bytes_per_sec: t.Integer(),
      tx_bytes_per_sec: t.Integer(),
      measured: t.Boolean(),
    }),
  ),
});
export type NetworkHistory = Static<typeof NetworkHistory>;

export const NetworkInterface = t.Object({
  name: t.String(),
  /** `virtual` ones are bridges, tunnels and the like. */
  kind: t.Union([t.Literal("ethernet"), t.Literal("wireless"), t.Literal("virtual")]),
  is_default: t.Boolean(),
  is_up: t.Boolean(),
  mac: NullableText,
  mtu: Nullable(t.Integer()),
  /** Null where the driver does not say. */
  speed_mbps: Nullable(t.Integer()),
  /** With the length of the prefix: `192.0.2.7/24`. */
  addresses: t.Array(t.String()),
  /** Since the interface came up. */
  rx_bytes: t.Integer(),
  tx_bytes: t.Integer(),
  /** Null for interfaces that have no history: virtual ones without the default route. */
  rx_bytes_per_sec: Nullable(t.Integer()),
  tx_bytes_per_sec: Nullable(t.Integer()),
});
export type NetworkInterface = Static<typeof NetworkInterface>;

/** The last ten minutes, a sample for each 10 s: what live charts start with. */
export const RecentSamples = t.Array(
  t.Object({
    at: t.String(),
    cpu_percent: NullableNumber,
    ram_used_bytes: NullableNumber,
    rx_bytes_per_sec: NullableNumber,
    tx_bytes_per_sec: NullableNumber,
    read_bytes_per_sec: NullableNumber,
    write_bytes_per_sec: NullableNumber,
  }),
);
export type RecentSamples = Static<typeof RecentSamples>;

/** Wall time moved by `by_seconds` more than time passed: the clock was set, or the machine slept. */
export type MetricsEvents = { "system.clock_jumped": { by_seconds: number } };

const access = user("monitoring");

export const metricsRoutes = defineRoutes({
  "GET /api/system/metrics": { access, query: MetricsQuery, out: MetricsPoints },
  "GET /api/system/metrics/threads": { access, query: SpanQuery, out: ThreadMetrics },
  "GET /api/system/metrics/recent": { access, out: RecentSamples },
  "GET /api/system/apps/metrics": { access, query: AppMetricsQuery, out: AppMetrics },
  "GET /api/system/network/interfaces": { access, out: t.Array(NetworkInterface) },
  "GET /api/network/history": { access, query: HistoryQuery, out: NetworkHistory },
});
export type MetricsApi = ApiOf<typeof metricsRoutes>;

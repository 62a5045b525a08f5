import { toIso } from "../../../lib/clock.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import { type CpuPoint, cpuNow, MINUTE_MS, QUARTER_MS } from "../fleet-records/index.ts";
import type { Overview, OverviewRange } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** How far back each range goes, how long its buckets are, and what they are made of. */
const RANGES: Record<OverviewRange, { span: number; bucket: number; source: number }> = {
  "1h": { span: hours(1), bucket: minutes(1), source: MINUTE_MS },
  "6h": { span: hours(6), bucket: minutes(5), source: MINUTE_MS },
  "24h": { span: days(1), bucket: QUARTER_MS, source: QUARTER_MS },
  "7d": { span: days(7), bucket: hours(2), source: QUARTER_MS },
};

/** Processor use over the fleet in buckets, oldest first; the one that runs includes this moment. */
export async function readCpu(
  { records }: Pick<Needs, "records">,
  db: TenantDb,
  fleet: TenantFleet,
  range: OverviewRange,
  now: number,
): Promise<Overview["cpu"]> {
  const { span, bucket, source } = RANGES[range];
  const start = (at: number) => at - (at % bucket);
  const stored = await records.listCpuPoints(db, source, start(now - span));
  const current = cpuNow(fleet, now);
  const buckets = new Map<number, CpuPoint[]>();
  for (const point of current ? [...stored, current] : stored) {
    const points = buckets.get(start(point.at)) ?? [];
    points.push(point);
    buckets.set(start(point.at), points);
  }
  return {
    bucket_seconds: bucket / 1_000,
    points: [...buckets].map(([at, points]) => ({
      t: toIso(at),
      p50: mean(points.map(({ p50 }) => p50)),
      p95: mean(points.map(({ p95 }) => p95)),
      nodes: Math.max(...points.map(({ nodes }) => nodes)),
    })),
  };
}

const mean = (values: readonly number[]): number =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;

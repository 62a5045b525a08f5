import { hours } from "../../../lib/duration.ts";
import type { SeriesRow } from "../metrics/index.ts";
import type { CostSettings } from "./contract.ts";

/** What an app used, as it is billed. */
export interface Usage {
  cpu_core_hours: number;
  memory_gb_hours: number;
  disk_gb_hours: number;
  /** Hours that were measured. */
  measured_hours: number;
}

/** Samples of a whole hour: one each ten seconds. */
const SAMPLES_AN_HOUR = 360;
export const GIB = 2 ** 30;
/** Hours of an average month. */
export const MONTH_HOURS = 730;

export const noUsage = (): Usage => ({ cpu_core_hours: 0, memory_gb_hours: 0, disk_gb_hours: 0, measured_hours: 0 });

/** Share of an hour that its row saw. */
export const shareOf = ({ n }: Pick<SeriesRow, "n">): number => Math.min(1, n / SAMPLES_AN_HOUR);

/** What one row of the hour tier says. */
export function usageOfHour(row: SeriesRow): Usage {
  const share = shareOf(row);
  return {
    cpu_core_hours: ((row.avg["cpu_percent"] ?? 0) / 100) * share,
    memory_gb_hours: ((row.avg["mem_bytes"] ?? 0) / GIB) * share,
    disk_gb_hours: 0,
    measured_hours: share,
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    cpu_core_hours: a.cpu_core_hours + b.cpu_core_hours,
    memory_gb_hours: a.memory_gb_hours + b.memory_gb_hours,
    disk_gb_hours: a.disk_gb_hours + b.disk_gb_hours,
    measured_hours: a.measured_hours + b.measured_hours,
  };
}

/** What `bytes` on disk cost in GB-hours over a time. */
export const diskUsage = (bytes: number, ms: number): Usage => ({
  ...noUsage(),
  disk_gb_hours: (bytes / GIB) * Math.max(0, ms / hours(1)),
});

/** The price of a usage, in the currency of the rates. */
export function priceOf(usage: Usage, rates: CostSettings) {
  const cpu_cost = usage.cpu_core_hours * rates.cpu_core_hour;
  const memory_cost = usage.memory_gb_hours * rates.memory_gb_hour;
  const disk_cost = usage.disk_gb_hours * rates.disk_gb_hour;
  return { cost: cpu_cost + memory_cost + disk_cost, cpu_cost, memory_cost, disk_cost };
}

import { hours } from "../../../lib/duration.ts";
import type { SeriesRow } from "../metrics/index.ts";
import { addUsage, noUsage, shareOf, type Usage, usageOfHour } from "./usage.ts";

/** What the hours of an app say to somebody who wants to save. */
export interface Facts {
  /** The last 25 closed hours, so that "more than 24 hours" is true. */
  idle: { coverage: number; isIdle: boolean; mean_cpu_percent: number };
  /** The last 7 days. */
  week: { coverage: number; usage: Usage; peak_memory_bytes: number };
  /** The last 14 days. */
  quiet: { coverage: number; block: QuietBlock | null };
}

/** Hours of the day, UTC, in which an app did nothing on any day; `to` is exclusive and may be past midnight. */
export interface QuietBlock {
  from: number;
  to: number;
  hours: number;
}

export const IDLE_HOURS = 25;
const WEEK_HOURS = 168;
export const QUIET_DAYS = 14;
const IDLE_CPU_PERCENT = 1;
/** Somebody who uses an app causes more traffic than this. */
const IDLE_TRAFFIC_BPS = 1024;
const MIN_BLOCK_HOURS = 6;
const DAY_HOURS = 24;

const trafficOf = ({ avg }: SeriesRow): number => (avg["net_rx_bps"] ?? 0) + (avg["net_tx_bps"] ?? 0);
const cpuOf = ({ avg }: SeriesRow): number => avg["cpu_percent"] ?? 0;
const isStill = (row: SeriesRow): boolean => cpuOf(row) < IDLE_CPU_PERCENT && trafficOf(row) < IDLE_TRAFFIC_BPS;
const coverage = (rows: readonly SeriesRow[], count: number): number =>
  rows.reduce((sum, row) => sum + shareOf(row), 0) / count;

/** The longest run of hours of the day in which nothing happened on any day; null when there is none worth it. */
export function findQuietBlock(rows: readonly SeriesRow[]): QuietBlock | null {
  const byHour = Map.groupBy(rows, ({ t }) => Math.floor(t / hours(1)) % DAY_HOURS);
  const still = Array.from({ length: DAY_HOURS }, (_, hour) => byHour.get(hour)?.every(isStill) ?? false);
  const lengthFrom = (hour: number): number => {
    const run = Array.from({ length: DAY_HOURS }, (_, step) => still[(hour + step) % DAY_HOURS]).indexOf(false);
    return run === -1 ? DAY_HOURS : run;
  };
  const lengths = still.map((_, hour) => lengthFrom(hour));
  const longest = Math.max(...lengths);
  // An app that never does anything is idle, which is another advice.
  if (longest < MIN_BLOCK_HOURS || longest === DAY_HOURS) return null;
  const from = lengths.indexOf(longest);
  return { from, to: (from + longest) % DAY_HOURS, hours: longest };
}

/** Reads the facts out of closed hours before `end`, oldest first. */
export function readFacts(rows: readonly SeriesRow[], end: number): Facts {
  const last = (count: number): SeriesRow[] => rows.filter(({ t }) => t >= end - hours(count) && t < end);
  const idle = last(IDLE_HOURS);
  const week = last(WEEK_HOURS);
  const quiet = last(QUIET_DAYS * DAY_HOURS);
  const cpu = idle.reduce((sum, row) => sum + cpuOf(row), 0);
  return {
    idle: {
      coverage: coverage(idle, IDLE_HOURS),
      isIdle: idle.length > 0 && idle.every((row) => cpuOf(row) < IDLE_CPU_PERCENT),
      mean_cpu_percent: idle.length === 0 ? 0 : cpu / idle.length,
    },
    week: {
      coverage: coverage(week, WEEK_HOURS),
      usage: week.map(usageOfHour).reduce(addUsage, noUsage()),
      peak_memory_bytes: Math.max(0, ...week.map(({ max }) => max["mem_bytes"] ?? 0)),
    },
    quiet: { coverage: coverage(quiet, QUIET_DAYS * DAY_HOURS), block: findQuietBlock(quiet) },
  };
}

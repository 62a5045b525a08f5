import { percentOf } from "../../lib/rate.ts";

/** Clock ticks since boot: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is inside user. */
export type CpuTimes = readonly number[];

/** `/proc/stat`: all processors together, and each one by its name, because a processor can be taken offline. */
export interface CpuStat {
  all: CpuTimes;
  cores: ReadonlyMap<string, CpuTimes>;
}

const FIELDS = 8;
const IDLE = 3;
const IOWAIT = 4;

/** Reads the `cpu` lines, which come first, and nothing behind them. */
export function parseCpuStat(text: string): CpuStat {
  const cores = new Map<string, CpuTimes>();
  let all: CpuTimes = [];
  let start = 0;
  while (text.startsWith("cpu", start)) {
    const end = text.indexOf("\n", start);
    const [name = "", ...columns] = text
      .slice(start, end < 0 ? text.length : end)
      .replace("  ", " ")
      .split(" ", FIELDS + 1);
    const times = columns.map(Number);
    if (name === "cpu") all = times;
    else cores.set(name, times);
    if (end < 0) break;
    start = end + 1;
  }
  return { all, cores };
}

/**
 * Share of time spent working between two readings, 0 to 100. Waiting for disks counts as idle. Single fields can step
 * back (iowait is not reliable, a processor may have been offline): such a field counts as 0.
 */
export function busyPercent(before: CpuTimes | undefined, after: CpuTimes): number {
  if (!before) return 0;
  let busy = 0;
  let total = 0;
  for (const [field, value] of after.entries()) {
    const spent = Math.max(0, value - (before[field] ?? value));
    total += spent;
    if (field !== IDLE && field !== IOWAIT) busy += spent;
  }
  return percentOf(busy, total);
}

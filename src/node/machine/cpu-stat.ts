import { percentOf } from "../../lib/rate.ts";
import type { Scanner } from "./scanner.ts";

/** Clock ticks since boot: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is inside user. */
export type CpuTimes = readonly number[];

/** One processor by its number, because a processor can be taken offline. */
export interface CoreTimes {
  number: number;
  times: CpuTimes;
}

/** `/proc/stat`: all processors together, and each one. */
export interface CpuStat {
  all: CpuTimes;
  cores: readonly CoreTimes[];
}

const FIELDS = 8;
const IDLE = 3;
const IOWAIT = 4;
const CPU = Buffer.from("cpu");
const ALL = Buffer.from("cpu ");

function readTimes(scanner: Scanner): CpuTimes {
  const times: number[] = [];
  for (let field = 0; field < FIELDS; field++) {
    const value = scanner.number();
    if (value < 0) break;
    times.push(value);
  }
  return times;
}

/** Reads the `cpu` lines, which come first, and nothing behind them. */
export function parseCpuStat(scanner: Scanner | null): CpuStat {
  const cores: CoreTimes[] = [];
  let all: CpuTimes = [];
  let isMore = scanner !== null;
  while (scanner && isMore && scanner.startsWith(CPU)) {
    if (scanner.startsWith(ALL)) all = readTimes(scanner);
    else cores.push({ number: scanner.number(), times: readTimes(scanner) });
    isMore = scanner.nextLine();
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
  for (let field = 0; field < after.length; field++) {
    const value = after[field] ?? 0;
    const spent = Math.max(0, value - (before[field] ?? value));
    total += spent;
    if (field !== IDLE && field !== IOWAIT) busy += spent;
  }
  return percentOf(busy, total);
}

import type { Scanner } from "./scanner.ts";

/** Memory of the host in bytes. */
export interface MemoryUse {
  total: number;
  /** What cannot be had without swapping: caches do not count. */
  used: number;
  swapUsed: number;
}

const KEYS = ["MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached", "SwapTotal", "SwapFree"] as const;
type Key = (typeof KEYS)[number];
const LINES = KEYS.map((key): [Key, Uint8Array] => [key, Buffer.from(`${key}:`)]);
const LAST_KEY = "SwapFree";

/** The lines that matter, in bytes (the kernel gives kilobytes); null for one that is missing. */
function readLines(scanner: Scanner | null): Record<Key, number | null> {
  const found: Record<Key, number | null> = {
    MemTotal: null,
    MemFree: null,
    MemAvailable: null,
    Buffers: null,
    Cached: null,
    SwapTotal: null,
    SwapFree: null,
  };
  if (!scanner) return found;
  do {
    for (const [key, name] of LINES) {
      if (!scanner.takes(name)) continue;
      found[key] = Math.max(0, scanner.number()) * 1024;
      if (key === LAST_KEY) return found;
      break;
    }
  } while (scanner.nextLine());
  return found;
}

/** Reads `/proc/meminfo`. `reclaimable` bytes that the kernel does not know as cache (ZFS) are taken off what is used. */
export function parseMeminfo(scanner: Scanner | null, reclaimable = 0): MemoryUse {
  const lines = readLines(scanner);
  const total = lines.MemTotal ?? 0;
  // MemAvailable is missing in kernels before 3.14 and in some container views.
  const freeAndCaches = (lines.MemFree ?? 0) + (lines.Buffers ?? 0) + (lines.Cached ?? 0);
  const available = (lines.MemAvailable ?? freeAndCaches) + reclaimable;
  const swap = (lines.SwapTotal ?? 0) - (lines.SwapFree ?? 0);
  return { total, used: Math.max(0, total - available), swapUsed: Math.max(0, swap) };
}

/** Bytes of the ZFS cache that it would give back under pressure, from `/proc/spl/kstat/zfs/arcstats`; 0 without ZFS. */
export function parseArcReclaimable(text: string): number {
  const value = (key: string) => Number(new RegExp(`^${key} +\\d+ +(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return Math.max(0, value("size") - value("c_min"));
}

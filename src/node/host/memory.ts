/** Memory of the host in bytes. */
export interface MemoryUse {
  total: number;
  /** What cannot be had without swapping: caches do not count. */
  used: number;
  swapUsed: number;
}

/** Bytes behind `key`, which the kernel gives in kilobytes; null when the line is missing. */
function bytesOf(text: string, key: string): number | null {
  const start = text.indexOf(`${key}:`);
  if (start < 0 || (start > 0 && text[start - 1] !== "\n")) return null;
  return Number.parseInt(text.slice(start + key.length + 1, start + key.length + 24), 10) * 1024;
}

const freeAndCaches = (text: string): number =>
  (bytesOf(text, "MemFree") ?? 0) + (bytesOf(text, "Buffers") ?? 0) + (bytesOf(text, "Cached") ?? 0);

/** Reads `/proc/meminfo`. `reclaimable` bytes that the kernel does not know as cache (ZFS) are taken off what is used. */
export function parseMeminfo(text: string, reclaimable = 0): MemoryUse {
  const total = bytesOf(text, "MemTotal") ?? 0;
  // MemAvailable is missing in kernels before 3.14 and in some container views.
  const available = (bytesOf(text, "MemAvailable") ?? freeAndCaches(text)) + reclaimable;
  const swap = (bytesOf(text, "SwapTotal") ?? 0) - (bytesOf(text, "SwapFree") ?? 0);
  return { total, used: Math.max(0, total - available), swapUsed: Math.max(0, swap) };
}

/** Bytes of the ZFS cache that it would give back under pressure, from `/proc/spl/kstat/zfs/arcstats`; 0 without ZFS. */
export function parseArcReclaimable(text: string): number {
  const value = (key: string) => Number(new RegExp(`^${key} +\\d+ +(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return Math.max(0, value("size") - value("c_min"));
}

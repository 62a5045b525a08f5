import { readFileSync, statfsSync } from "node:fs";

/** How much of something there is, in bytes. */
export interface Room {
  free: number;
  total: number;
}

/** Reads `MemAvailable` and `MemTotal` out of /proc/meminfo's text; null when they are not there. */
export function parseMemoryRoom(text: string): Room | null {
  const kilobytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? Number.NaN);
  const room = { free: kilobytes("MemAvailable") * 1024, total: kilobytes("MemTotal") * 1024 };
  return Number.isFinite(room.free) && Number.isFinite(room.total) ? room : null;
}

/** Memory that could be used without swapping. */
export function memoryRoom(): Room | null {
  return parseMemoryRoom(readFileSync("/proc/meminfo", "utf8"));
}

/** Space on the file system of the first of `paths` that can be looked at. */
export function diskRoom(paths: readonly string[]): Room | null {
  for (const path of paths) {
    try {
      const { bavail, blocks, bsize } = statfsSync(path);
      return { free: bavail * bsize, total: blocks * bsize };
    } catch {
      // Docker's folder may be hidden from us; the next path is a good guess then.
    }
  }
  return null;
}

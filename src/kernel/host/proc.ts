/** Reads a text file of the host; null when there is none. */
type ReadText = (path: string) => string | null;

/** Bytes of memory, and what of it programs could have without swapping; 0 where the kernel does not say. */
export function readMemory(read: ReadText): { total: number; available: number } {
  const text = read("/proc/meminfo") ?? "";
  const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) * 1024;
  return { total: bytes("MemTotal"), available: bytes("MemAvailable") };
}

/** What an x64 processor can do, in the kernel's words, such as `avx2`; null where it does not list them. */
export function readProcessorFlags(read: ReadText): string[] | null {
  return /^flags\s*:(.*)$/m.exec(read("/proc/cpuinfo") ?? "")?.[1]?.split(" ") ?? null;
}

/** True where the kernel accounts for groups of processes by version 2 only. */
export const hasUnifiedCgroups = (exists: (path: string) => boolean): boolean =>
  exists("/sys/fs/cgroup/cgroup.controllers");

import { percentOf } from "../../../lib/rate.ts";
import { fullestOf } from "../../machine/index.ts";
import type { CurrentMetrics, FilesystemEntry, SystemInfo } from "./contract.ts";
import type { Own } from "./needs.ts";

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/** What this machine is. */
export function readInfo({ identity, host, version }: Pick<Own, "identity" | "host" | "version">): SystemInfo {
  const { os, kernel, architecture } = host.facts();
  return {
    hostname: identity.name(),
    os,
    kernel,
    architecture,
    version,
    uptime_seconds: host.uptimeSeconds(),
    node_id: identity.id(),
  };
}

const gigabytes = (bytes: number): number => Math.round((bytes / GIGABYTE) * 100) / 100;

/**
 * How full processor, memory and the fullest filesystem are. `total_gb` is what can be used of that one, so that the three
 * figures fit together.
 */
export async function readCurrent({ host, live }: Pick<Own, "host" | "live">): Promise<CurrentMetrics> {
  const [sample, filesystems] = await Promise.all([live.sample(), host.filesystems()]);
  const { cores, model } = host.facts().cpu;
  const disk = fullestOf(filesystems);
  const used = disk?.used_bytes ?? 0;
  return {
    cpu: { usage_percent: sample.cpu_percent, cores, model },
    memory: {
      total_mb: Math.round(sample.ram_total_bytes / MEGABYTE),
      used_mb: Math.round(sample.ram_used_bytes / MEGABYTE),
      usage_percent: percentOf(sample.ram_used_bytes, sample.ram_total_bytes),
    },
    disk: {
      total_gb: gigabytes(used + (disk?.free_bytes ?? 0)),
      used_gb: gigabytes(used),
      usage_percent: disk?.usage_percent ?? 0,
    },
    uptime_seconds: host.uptimeSeconds(),
  };
}

/** The real filesystems with exactly the fields of the wire. */
export async function readFilesystemEntries({ host }: Pick<Own, "host">): Promise<FilesystemEntry[]> {
  return (await host.filesystems()).map(({ inode_percent: _, ...entry }) => entry);
}

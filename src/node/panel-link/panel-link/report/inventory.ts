import { toIso } from "../../../../lib/clock.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import type { ClusterReport } from "../../../../shared/agent-protocol/index.ts";
import type { Needs } from "../needs.ts";
import { type HostAddresses, readAddresses } from "./addresses.ts";
import { readCloudPlace } from "./cloud.ts";
import { readSignInUrls } from "./sign-in-urls.ts";

/** What this node tells of its host; null where it does not know. The panel's names for it are in `inventoryOf`. */
export interface NodeInventory extends HostAddresses {
  /** Name of the distribution. */
  os: string;
  kernel: string;
  architecture: string;
  cpu_model: string;
  cpu_cores: number;
  cpu_threads: number;
  memory_bytes: number | null;
  /** What all filesystems together have and may be used, to the gigabyte. */
  disk_bytes: number | null;
  /** ISO, to the minute. */
  boot_time: string;
  /** As the cloud names them. */
  region: string | null;
  zone: string | null;
  cloud_provider: string | null;
  /** Where people come back to who signed in on the panel. */
  sign_in_urls: string[];
  /** The cluster that its containers' engine is in. */
  cluster: ClusterReport | null;
  /** Staff of the panel is out of here with the permit that let them in. */
  ends_visits: true;
}

type Deps = Pick<Needs, "config" | "host" | "clock" | "settings" | "listening">;

/** What this machine is. Nothing in it moves by itself, so that it is told only when something changed. */
export async function readInventory(deps: Deps, cluster: ClusterReport | null): Promise<NodeInventory> {
  const { config, host, clock } = deps;
  const { os, kernel, architecture, cpu } = host.facts();
  const { memory, defaultInterface } = host.latestCounters() ?? host.counters();
  const filesystems = await host.filesystems();
  const disk = filesystems.reduce((sum, { used_bytes, free_bytes }) => sum + used_bytes + free_bytes, 0);
  return {
    os,
    kernel,
    architecture,
    cpu_model: cpu.model,
    cpu_cores: cpu.cores,
    cpu_threads: cpu.threads,
    memory_bytes: memory.total > 0 ? memory.total : null,
    disk_bytes: disk > 0 ? roundedSize(disk) : null,
    boot_time: toIso(bootMinute(clock.now() - seconds(host.uptimeSeconds()))),
    ...readAddresses(host.interfaces(), defaultInterface),
    ...readCloudPlace(config.host_root),
    sign_in_urls: readSignInUrls(deps),
    cluster,
    ends_visits: true,
  };
}

const GIGABYTE = 1e9;

/** What filesystems keep for themselves moves a little, which is no news of the machine. */
const roundedSize = (bytes: number): number => (bytes < GIGABYTE ? bytes : Math.round(bytes / GIGABYTE) * GIGABYTE);

/** The uptime is rounded and the clock is corrected, so that seconds would differ each time. */
const bootMinute = (ms: number): number => Math.round(ms / minutes(1)) * minutes(1);

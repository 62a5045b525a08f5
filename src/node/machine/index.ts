/** The host: every fact about the machine below us and the few things we change on it, behind one adapter. */
import { machine } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { type CounterReader, createCounterReader, type HostCounters } from "./counters.ts";
import { type CpuInfo, parseCpuInfo } from "./cpu-info.ts";
import { type Filesystem, readFilesystems, readMounts, spaceAt } from "./filesystems.ts";
import { readHostname, writeHostname } from "./hostname.ts";
import { type NetInterface, readInterfaces } from "./interfaces.ts";
import { parseUptime } from "./load.ts";
import type { Mount } from "./mounts.ts";
import { parseOsRelease } from "./os-release.ts";
import { readText } from "./proc-file.ts";
import { createSpaceReader, type Space } from "./space.ts";
import { createThermometer } from "./temperature.ts";

export type { HostCounters } from "./counters.ts";
export { busyPercent, type CoreTimes } from "./cpu-stat.ts";
export type { Filesystem } from "./filesystems.ts";
export type { Mount } from "./mounts.ts";
export { type ProcFile, procFile } from "./proc-file.ts";
export type { Space } from "./space.ts";

/** What does not change while the machine runs. */
export interface HostFacts {
  /** Name of the distribution. */
  os: string;
  /** Release of the kernel. */
  kernel: string;
  /** As `uname -m` says: `x86_64`, `aarch64` … */
  architecture: string;
  cpu: CpuInfo;
}

export interface Host {
  /** The clock that the host's counters run by; real time even where tests turn the program's own clock. */
  clock: Clock;
  facts(): HostFacts;
  hostname(): string;
  /** Renames the machine; false when we may not. Expects a valid hostname label. */
  setHostname(name: string): Promise<boolean>;
  /** systemd's secret id of this installation; null where there is none. Never show it. */
  machineId(): string | null;
  uptimeSeconds(): number;
  /** One sweep over everything that moves; see `CounterReader`. */
  counters(): HostCounters;
  /** The last sweep that anybody asked for; null before the first. */
  latestCounters(): HostCounters | null;
  /** Temperature of the processor, null without a sensor; never waits. */
  cpuTemperature(): number | null;
  filesystems(): Promise<Filesystem[]>;
  /** Every mount that can be reached, pseudo filesystems too. */
  mounts(): Mount[];
  /** Room at a mount point; null when it does not answer. Never waits long for a dead mount. */
  space(point: string): Promise<Space | null>;
  /** Network interfaces but loopback and the ends of containers. */
  interfaces(): NetInterface[];
}

/** The host whose `/proc`, `/sys` and `/etc` lie below `root`; open files are closed when `signal` aborts. */
export function createHost(clock: Clock, root: string, signal: AbortSignal): Host {
  const file = (path: string): string => readText(join(root, path)) ?? "";
  const thermometer = createThermometer(clock, join(root, "sys"));
  const space = createSpaceReader(clock);
  let facts: HostFacts | null = null;
  let reader: CounterReader | null = null;
  let latest: HostCounters | null = null;

  function openReader(): CounterReader {
    const opened = createCounterReader(clock, root);
    signal.addEventListener("abort", () => opened.close(), { once: true });
    return opened;
  }

  return {
    clock,
    facts() {
      facts ??= {
        os: parseOsRelease(file("etc/os-release") || file("usr/lib/os-release")),
        kernel: file("proc/sys/kernel/osrelease"),
        architecture: machine(),
        cpu: parseCpuInfo(file("proc/cpuinfo")),
      };
      return facts;
    },
    hostname: () => readHostname(root),
    setHostname: (name) => writeHostname(root, name),
    machineId: () => /^[0-9a-f]{32}$/.exec(file("etc/machine-id").trim())?.[0] ?? null,
    uptimeSeconds: () => parseUptime(file("proc/uptime")),
    counters() {
      reader ??= openReader();
      latest = reader.read();
      return latest;
    },
    latestCounters: () => latest,
    cpuTemperature: () => thermometer.read(),
    filesystems: () => readFilesystems(space, root),
    mounts: () => readMounts(root),
    space: (point) => spaceAt(space, root, point),
    interfaces: () => readInterfaces(root),
  };
}

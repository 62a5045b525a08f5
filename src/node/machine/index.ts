/** The host: every fact about the machine below us and the few things we change on it, behind one adapter. */
import { existsSync } from "node:fs";
import { machine } from "node:os";
import { join } from "node:path";
import { createSpaceReader, type Space } from "../../kernel/host/space.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Btrfs, findBtrfs } from "./block/btrfs.ts";
import { type BlockDevice, type BlockDevices, readBlockDevices } from "./block/devices.ts";
import { type DiskIdentity, readIdentity } from "./block/identity.ts";
import { readUdev } from "./block/udev.ts";
import { type CounterReader, createCounterReader, type HostCounters } from "./counters.ts";
import { type CpuInfo, parseCpuInfo } from "./cpu-info.ts";
import { type Filesystem, pathBase, readFilesystems, readMounts, spaceAt } from "./filesystems.ts";
import { isLocked } from "./held-locks.ts";
import { type HeldPort, readHeldPorts } from "./held-ports.ts";
import { readHostname, writeHostname } from "./hostname.ts";
import { type NetInterface, readInterfaces } from "./interfaces.ts";
import { parseUptime } from "./load.ts";
import type { MemoryUse } from "./memory.ts";
import type { Mount } from "./mounts.ts";
import { readOomKills } from "./oom-kills.ts";
import { parseOsRelease } from "./os-release.ts";
import { readText, resolvePath } from "./proc-file.ts";
import { readProcessStart } from "./process-start.ts";
import { type ReachedRange, readReached } from "./reached-ranges.ts";
import { findInterface, readNetworkValue } from "./server-network.ts";
import { createThermometer } from "./temperature.ts";

export { type BlockDevice, type BlockDevices, physicalDisks } from "./block/devices.ts";
export { type DiskIdentity, keyOf } from "./block/identity.ts";
export { type ContainerMeter, openContainer, type Usage } from "./cgroup.ts";
export type { HostCounters } from "./counters.ts";
export { busyPercent, type CoreTimes } from "./cpu-stat.ts";
export { type Filesystem, fullestOf, fullness, isMountPoint, joinRooms, type Room } from "./filesystems.ts";
export { readFirmware } from "./firmware.ts";
export type { HeldPort } from "./held-ports.ts";
export { readKernelValue, writeKernelValue } from "./kernel-value.ts";
export type { Layers, Mount } from "./mounts.ts";
export type { ReachedRange } from "./reached-ranges.ts";
export { findSnapshotSource, type SnapshotKind, type SnapshotSource } from "./snapshot-source.ts";
export { readUnconfirmed } from "./unconfirmed-bytes.ts";

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
  /** Memory now, without the rest of a sweep. */
  memory(): MemoryUse;
  /** Temperature of the processor, null without a sensor; never waits. */
  cpuTemperature(): number | null;
  filesystems(): Promise<Filesystem[]>;
  /** Every mount that can be reached, pseudo filesystems too. */
  mounts(): Mount[];
  /** The folder below which paths of this server are followed as process 1 would. */
  pathBase(): string;
  /** Room at a mount point; null when it does not answer. Never waits long for a dead mount. */
  space(point: string): Promise<Space | null>;
  /** Room where something of our own lies, by the path that we know; null when it does not answer. */
  ownSpace(path: string): Promise<Space | null>;
  /** Network interfaces but loopback and the ends of containers. */
  interfaces(): NetInterface[];
  /** Addresses that it has, reaches by routes of their own, or asks for names. */
  reached(): ReachedRange[];
  /** False for an interface that is not there; true also where the kernel shows no list. */
  hasInterface(name: string): boolean;
  /** Whether the kernel finds an interface by this name, its other names included; null where that is not to be seen. */
  findInterface(name: string): boolean | null;
  /** What the kernel has for a key of the network, such as `net.ipv4.ip_forward`; null where it has none, or that is not to be seen. */
  networkValue(key: string): number | null;
  /** The same for a block device. */
  hasBlockDevice(name: string): boolean;
  blockDevices(): BlockDevices;
  /** Who a disk is; never wakes it. */
  identify(device: BlockDevice): DiskIdentity;
  /** What udev remembers of a device. */
  udev(device: BlockDevice): ReadonlyMap<string, string>;
  /** The btrfs that a device belongs to, if it is mounted. */
  btrfsOf(device: string): Btrfs | null;
  /** Where a path of the host leads to once all links are followed; null when there is no such thing. */
  resolve(path: string): string | null;
  /** True when some process holds a lock for writing on one of these files of the host. */
  isLocked(paths: readonly string[]): boolean;
  /** Ports that programs hold right now. */
  heldPorts(): HeldPort[];
  /** When the program began whose process id stands in that file, epoch ms; null when it does not run or is not seen. */
  startOf(pidFile: string, program: string): number | null;
  /** Processes that the kernel killed for want of memory since it started. */
  oomKills(): number;
}

/** True for a name in a list that the kernel keeps as a folder, and where it keeps none. */
const isListed = (folder: string, name: string): boolean => !existsSync(folder) || existsSync(join(folder, name));

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
    memory() {
      reader ??= openReader();
      return reader.memory();
    },
    cpuTemperature: () => thermometer.read(),
    filesystems: () => readFilesystems(space, root),
    mounts: () => readMounts(root),
    pathBase: () => pathBase(root),
    space: (point) => spaceAt(space, root, point),
    ownSpace: (path) => space.read(path),
    interfaces: () => readInterfaces(root),
    reached: () => readReached(root),
    hasInterface: (name) => isListed(join(root, "sys/class/net"), name),
    findInterface: (name) => findInterface(root, name),
    networkValue: (key) => readNetworkValue(root, key),
    hasBlockDevice: (name) => isListed(join(root, "sys/block"), name),
    blockDevices: () => readBlockDevices(root),
    identify: (device) => readIdentity(root, device),
    udev: ({ dev }) => readUdev(root, dev),
    btrfsOf: (device) => findBtrfs(root, device),
    resolve: (path) => resolvePath(join(root, path)),
    isLocked: (paths) => isLocked(root, paths),
    heldPorts: () => readHeldPorts(root),
    startOf: (pidFile, program) => readProcessStart(root, pidFile, program, clock.now()),
    oomKills: () => readOomKills(root),
  };
}

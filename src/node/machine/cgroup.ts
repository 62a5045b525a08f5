import { existsSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type ProcFile, procFile } from "./proc-file.ts";

/** What one container has used and uses. Null: the kernel of this host does not count it. */
export interface Usage {
  /** CPU time since its start. */
  cpu_ns: number;
  /** Without the inactive file cache. */
  memory_bytes: number | null;
  /** Null also for a container that shares the host's network: its traffic is everybody's. */
  rx_bytes: number | null;
  tx_bytes: number | null;
  read_bytes: number | null;
  written_bytes: number | null;
}

/** Version 1 writes "no limit" as a number near 2^63. */
const NO_LIMIT = 2 ** 60;

/** Where a process' accounting lies, out of the text of /proc/PID/cgroup; null: that controller is off. */
export interface CgroupPlace {
  version: 1 | 2;
  cpu: string;
  memory: string | null;
  blkio: string | null;
}

/** Parses /proc/PID/cgroup: version 2 has one line `0::/path`, version 1 a line for each controller. */
export function parseCgroupPlace(text: string): CgroupPlace | null {
  const paths = new Map<string, string>();
  let unified: string | null = null;
  for (const line of text.trim().split("\n")) {
    const [number = "", controllers = "", ...rest] = line.split(":");
    const path = rest.join(":");
    if (number === "0" && controllers === "") unified = path;
    for (const controller of controllers.split(",")) if (controller !== "") paths.set(controller, path);
  }
  const cpu = paths.get("cpuacct");
  if (cpu !== undefined) {
    return { version: 1, cpu, memory: paths.get("memory") ?? null, blkio: paths.get("blkio") ?? null };
  }
  return unified === null ? null : { version: 2, cpu: unified, memory: unified, blkio: unified };
}

/** A value of a `key value` table such as memory.stat; 0 when it is not there. */
export function statValue(text: string, key: string): number {
  const at = text.startsWith(`${key} `) ? 0 : text.indexOf(`\n${key} `) + 1;
  if (at === 0 && !text.startsWith(`${key} `)) return 0;
  return Number.parseInt(text.slice(at + key.length + 1, at + key.length + 22), 10) || 0;
}

/** Received and sent bytes of all interfaces but loopback, out of the text of /proc/PID/net/dev. */
export function parseNetworkUse(text: string): { rx_bytes: number; tx_bytes: number } {
  const sum = { rx_bytes: 0, tx_bytes: 0 };
  for (const line of text.split("\n").slice(2)) {
    const [name = "", figures = ""] = line.split(":");
    if (name.trim() === "" || name.trim() === "lo") continue;
    const columns = figures.trim().split(/\s+/).map(Number);
    sum.rx_bytes += columns[0] ?? 0;
    sum.tx_bytes += columns[8] ?? 0;
  }
  return sum;
}

/** Bytes read and written, by `isDisk("8:0")`: volumes and arrays would count again what their disks count. */
export interface BlockUse {
  read_bytes: number;
  written_bytes: number;
}

/** Parses `blkio.throttle.io_service_bytes` of version 1: a line for each device and direction. */
export function parseServiceBytes(text: string, isDisk: (device: string) => boolean): BlockUse {
  const use = { read_bytes: 0, written_bytes: 0 };
  for (const line of text.split("\n")) {
    const [device = "", direction, bytes] = line.split(" ");
    if (bytes === undefined || !isDisk(device)) continue;
    if (direction === "Read") use.read_bytes += Number(bytes);
    if (direction === "Write") use.written_bytes += Number(bytes);
  }
  return use;
}

/** Parses `io.stat` of version 2: `8:0 rbytes=1 wbytes=2 …`. */
export function parseIoStat(text: string, isDisk: (device: string) => boolean): BlockUse {
  const use = { read_bytes: 0, written_bytes: 0 };
  for (const line of text.split("\n")) {
    const [device = "", ...fields] = line.split(" ");
    if (fields.length === 0 || !isDisk(device)) continue;
    for (const field of fields) {
      if (field.startsWith("rbytes=")) use.read_bytes += Number(field.slice(7));
      if (field.startsWith("wbytes=")) use.written_bytes += Number(field.slice(7));
    }
  }
  return use;
}

function limitOf(text: string): number | null {
  const limit = Number.parseInt(text, 10);
  return Number.isFinite(limit) && limit < NO_LIMIT ? limit : null;
}

/** What the memory files say; usage below the cache (they are not read at one moment) is 0, not negative. */
function memoryOf(used: string, stat: string, inactive: string): number | null {
  return used === "" ? null : Math.max(0, Number.parseInt(used, 10) - statValue(stat, inactive));
}

/** Keeps the accounting files of one container open. */
export interface ContainerMeter {
  /** Null when the container has ended. */
  read(): Usage | null;
  /** Bytes of memory that it may use; null: all of the host's. */
  memoryLimit(): number | null;
  close(): void;
}

interface Files {
  cpu: ProcFile;
  used: ProcFile | null;
  stat: ProcFile | null;
  limit: ProcFile | null;
  blocks: ProcFile | null;
}

function openFiles(root: string, { version, cpu, memory, blkio }: CgroupPlace): Files {
  const mount = join(root, "sys/fs/cgroup");
  const file = (controller: string, path: string | null, name: string): ProcFile | null =>
    path === null ? null : procFile(join(mount, version === 1 ? controller : "", path, name));
  const is1 = version === 1;
  return {
    cpu: procFile(join(mount, is1 ? "cpuacct" : "", cpu, is1 ? "cpuacct.usage" : "cpu.stat")),
    used: file("memory", memory, is1 ? "memory.usage_in_bytes" : "memory.current"),
    stat: file("memory", memory, "memory.stat"),
    limit: file("memory", memory, is1 ? "memory.limit_in_bytes" : "memory.max"),
    blocks: file("blkio", blkio, is1 ? "blkio.throttle.io_service_bytes" : "io.stat"),
  };
}

/** True for a device that is not made of others, below `root`; asked once for each. */
function createDiskCheck(root: string): (device: string) => boolean {
  const known = new Map<string, boolean>();
  return (device) => {
    let isDisk = known.get(device);
    if (isDisk === undefined) {
      isDisk = existsSync(join(root, "sys/dev/block", device, "device"));
      known.set(device, isDisk);
    }
    return isDisk;
  };
}

/** The network that a process lives in; null when we may not know. */
function networkOf(root: string, pid: number): string | null {
  try {
    return readlinkSync(join(root, `proc/${pid}/ns/net`));
  } catch {
    return null;
  }
}

/** Opens the accounting of the container of process `pid` on the host below `root`; null when that process is gone. */
export function openContainer(pid: number, root = "/"): ContainerMeter | null {
  const once = (path: string): string => {
    const file = procFile(path);
    const text = file.read();
    file.close();
    return text;
  };
  const place = parseCgroupPlace(once(join(root, `proc/${pid}/cgroup`)));
  if (!place) return null;
  const files = openFiles(root, place);
  const isDisk = createDiskCheck(root);
  const isShared = networkOf(root, pid) !== null && networkOf(root, pid) === networkOf(root, 1);
  const is1 = place.version === 1;
  const blocksOf = is1 ? parseServiceBytes : parseIoStat;

  return {
    read() {
      const cpu = files.cpu.read();
      // An open file would keep the network of an ended container alive, so this one is opened anew.
      const network = cpu === "" ? "" : once(join(root, `proc/${pid}/net/dev`));
      if (network === "") return null;
      const blocks = files.blocks?.read() ?? null;
      const { read_bytes, written_bytes } =
        blocks === null ? { read_bytes: null, written_bytes: null } : blocksOf(blocks, isDisk);
      return {
        cpu_ns: is1 ? Number.parseInt(cpu, 10) : statValue(cpu, "usage_usec") * 1000,
        memory_bytes: memoryOf(
          files.used?.read() ?? "",
          files.stat?.read() ?? "",
          is1 ? "total_inactive_file" : "inactive_file",
        ),
        ...(isShared ? { rx_bytes: null, tx_bytes: null } : parseNetworkUse(network)),
        read_bytes,
        written_bytes,
      };
    },
    memoryLimit: () => limitOf(files.limit?.read() ?? ""),
    close() {
      for (const file of Object.values(files)) file?.close();
    },
  };
}

import { readFileSync } from "node:fs";

/** What one container has used and uses. */
export interface Usage {
  /** CPU time since its start. */
  cpu_ns: number;
  memory_bytes: number;
  /** Null: none. */
  memory_limit_bytes: number | null;
  rx_bytes: number;
  tx_bytes: number;
}

const ROOT = "/sys/fs/cgroup";
/** Version 1 writes "no limit" as a number near 2^63. */
const NO_LIMIT = 2 ** 60;

/** Where a process' accounting lies, out of the text of /proc/PID/cgroup. */
export interface CgroupPlace {
  version: 1 | 2;
  cpu: string;
  memory: string;
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
  const memory = paths.get("memory");
  if (cpu !== undefined && memory !== undefined) return { version: 1, cpu, memory };
  return unified === null ? null : { version: 2, cpu: unified, memory: unified };
}

/** A value of a `key value` table such as memory.stat; 0 when it is not there. */
export function statValue(text: string, key: string): number {
  return Number(new RegExp(`^${key} (\\d+)$`, "m").exec(text)?.[1] ?? "0");
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

const read = (path: string): string => readFileSync(path, "utf8");

function limitOf(text: string): number | null {
  const limit = Number(text.trim());
  return Number.isFinite(limit) && limit < NO_LIMIT ? limit : null;
}

function readVersion1({ cpu, memory }: CgroupPlace) {
  const folder = `${ROOT}/memory${memory}`;
  const used = Number(read(`${folder}/memory.usage_in_bytes`));
  return {
    cpu_ns: Number(read(`${ROOT}/cpuacct${cpu}/cpuacct.usage`)),
    memory_bytes: Math.max(0, used - statValue(read(`${folder}/memory.stat`), "total_inactive_file")),
    memory_limit_bytes: limitOf(read(`${folder}/memory.limit_in_bytes`)),
  };
}

function readVersion2({ cpu }: CgroupPlace) {
  const folder = `${ROOT}${cpu}`;
  const used = Number(read(`${folder}/memory.current`));
  return {
    cpu_ns: statValue(read(`${folder}/cpu.stat`), "usage_usec") * 1000,
    memory_bytes: Math.max(0, used - statValue(read(`${folder}/memory.stat`), "inactive_file")),
    memory_limit_bytes: limitOf(read(`${folder}/memory.max`)),
  };
}

/** What the container of process `pid` uses; null when it has ended or its accounting cannot be read. */
export function readUsage(pid: number): Usage | null {
  try {
    const place = parseCgroupPlace(read(`/proc/${pid}/cgroup`));
    if (!place) return null;
    const figures = place.version === 1 ? readVersion1(place) : readVersion2(place);
    return { ...figures, ...parseNetworkUse(read(`/proc/${pid}/net/dev`)) };
  } catch {
    return null;
  }
}

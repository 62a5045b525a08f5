import type { BlockDevices, Host } from "../../../machine/index.ts";
import { mixShares, type Shares, sharesOf } from "./shares.ts";

/** Disks that hold one part of a pool's data together. */
export interface PoolGroup {
  /** `mirror`, `raidz1` …, `disk` for one alone. */
  kind: string;
  /** Names of block devices. */
  members: string[];
}

/** The groups of each pool by its name; caches, logs and spares hold no data and are left out. */
export type Pools = ReadonlyMap<string, PoolGroup[]>;

const GROUP = /^(mirror|raidz\d?|draid\d?)[^\s]*$/;

/** Reads `zpool status -LP`. */
export function parsePools(text: string): Pools {
  const pools = new Map<string, PoolGroup[]>();
  let groups: PoolGroup[] | null = null;
  let pool = "";
  let isData = false;
  for (const line of text.split("\n")) {
    const word = line.trim().split(/\s+/, 1)[0] ?? "";
    const start = /^\s*pool:\s*(\S+)/.exec(line)?.[1];
    if (start !== undefined) {
      pool = start;
      groups = null;
    } else if (word === pool && /^\t\S/.test(line)) {
      groups = [];
      pools.set(pool, groups);
      isData = true;
    } else if (/^\t\S/.test(line)) {
      // Other headings on the pool's level: logs, cache, spares; "special" and "dedup" hold data too.
      isData = word === "special" || word === "dedup";
    } else if (groups && isData && GROUP.test(word)) {
      groups.push({ kind: GROUP.exec(word)?.[1] ?? "mirror", members: [] });
    } else if (groups && isData && word.startsWith("/dev/")) {
      addMember(groups, word.slice("/dev/".length), line.search(/\S/));
    }
  }
  return pools;
}

/** A disk four blanks behind the tab stands inside the group above it, one with two is a group of its own. */
function addMember(groups: PoolGroup[], member: string, indent: number): void {
  const last = groups.at(-1);
  if (indent > 3 && last && last.kind !== "disk") last.members.push(member);
  else groups.push({ kind: "disk", members: [member] });
}

/** The members of pools as udev knows them, for where `zpool` cannot be asked; how they work together is not known then. */
export function poolsOfUdev(host: Pick<Host, "udev">, devices: BlockDevices): Pools {
  const pools = new Map<string, PoolGroup[]>();
  for (const device of devices.values()) {
    const known = host.udev(device);
    const pool = known.get("ID_FS_LABEL");
    if (known.get("ID_FS_TYPE") !== "zfs_member" || !pool) continue;
    const groups = pools.get(pool) ?? [];
    groups.push({ kind: "disk", members: [device.name] });
    pools.set(pool, groups);
  }
  return pools;
}

/** Bytes that a group can hold, and the part of each byte that every member stores. */
function layoutOf({ kind, members }: PoolGroup, sizes: readonly number[]): { capacity: number; factor: number } {
  const smallest = Math.min(...sizes);
  const parity = Number(/^d?raidz?(\d)$/.exec(kind)?.[1] ?? (/raid/.test(kind) ? 1 : 0));
  if (kind === "mirror") return { capacity: smallest, factor: 1 };
  if (parity > 0 && members.length > parity) {
    return { capacity: smallest * (members.length - parity), factor: 1 / (members.length - parity) };
  }
  return { capacity: smallest, factor: 1 };
}

/** How the bytes of a pool lie on the disks. */
export function sharesOfPool(devices: BlockDevices, groups: readonly PoolGroup[]): Shares {
  const parts = groups
    .filter(({ members }) => members.length > 0)
    .map((group) => ({
      members: group.members,
      ...layoutOf(
        group,
        group.members.map((name) => devices.get(name)?.size_bytes ?? 0),
      ),
    }));
  const total = parts.reduce((sum, { capacity }) => sum + capacity, 0);
  return mixShares(
    parts.flatMap(({ members, capacity, factor }) =>
      members.map((name) => ({
        shares: sharesOf(devices, name),
        factor: factor * (total > 0 ? capacity / total : 1 / parts.length),
      })),
    ),
  );
}

import type { RunProgram } from "../../../../kernel/host/run-program.ts";
import {
  type BlockDevice,
  type BlockDevices,
  type DiskIdentity,
  joinRooms,
  keyOf,
  physicalDisks,
  type Room,
} from "../../../machine/index.ts";
import type { Needs } from "../needs.ts";
import { findVolumes, type Volume } from "./volumes.ts";
import { type Pools, parsePools, poolsOfUdev } from "./zfs-pools.ts";

type Deps = Pick<Needs, "host">;

/** A physical disk, before anybody asked for its health. */
export interface Disk extends DiskIdentity {
  /** As in `/dev/<name>`. */
  name: string;
  size_bytes: number;
  /** Name under which its readings are kept; follows it from port to port. */
  key: string;
}

/** How full a disk is and what lies on it. */
export interface DiskUse {
  used_bytes: number;
  /** What can still be written to what is mounted of it. */
  free_bytes: number;
  mounts: string[];
}

const ZPOOL_MS = 10_000;

function describeDisk({ host }: Deps, device: BlockDevice): Disk {
  const identity = host.identify(device);
  return { ...identity, name: device.name, size_bytes: device.size_bytes, key: keyOf(identity, device) };
}

/** Every physical disk of the host. Cheap disks can share a serial number; each then keeps readings of its own. */
export function findDisks(deps: Deps, devices = deps.host.blockDevices()): Disk[] {
  const seen = new Set<string>();
  return physicalDisks(devices).map((device) => {
    const disk = describeDisk(deps, device);
    if (seen.has(disk.key)) return { ...disk, key: `${disk.key}#${disk.name}` };
    seen.add(disk.key);
    return disk;
  });
}

async function readPools({ host }: Deps, devices: BlockDevices, run: RunProgram): Promise<Pools> {
  const { code, stdout } = await run(["zpool", "status", "-LP"], { timeoutMs: ZPOOL_MS });
  const pools = code === 0 ? parsePools(stdout) : new Map();
  return pools.size > 0 ? pools : poolsOfUdev(host, devices);
}

async function roomOf({ host }: Deps, { asked }: Volume): Promise<Room> {
  const answers = await Promise.all(asked.map((point) => host.space(point)));
  return joinRooms(answers.filter((answer) => answer !== null));
}

/** How full each disk is, by its name; a volume over several disks counts on each with what it takes there. */
export async function measureUse(
  { host }: Deps,
  devices: BlockDevices,
  run: RunProgram,
): Promise<ReadonlyMap<string, DiskUse>> {
  const mounts = host.mounts();
  const hasZfs = mounts.some(({ type }) => type === "zfs");
  const pools = hasZfs ? await readPools({ host }, devices, run) : new Map();
  const volumes = findVolumes(host, devices, mounts, pools);
  const rooms = await Promise.all(volumes.map((volume) => roomOf({ host }, volume)));
  const found = new Map<string, Room & { mounts: Set<string> }>();
  for (const [index, volume] of volumes.entries()) {
    for (const [disk, share] of volume.shares) {
      const entry = found.get(disk) ?? { used: 0, free: 0, mounts: new Set() };
      entry.used += (rooms[index]?.used ?? 0) * share;
      entry.free += (rooms[index]?.free ?? 0) * share;
      for (const point of volume.mounts) entry.mounts.add(point);
      found.set(disk, entry);
    }
  }
  return new Map(
    [...found].map(([disk, { used, free, mounts }]) => [
      disk,
      { used_bytes: Math.round(used), free_bytes: Math.round(free), mounts: [...mounts].sort() },
    ]),
  );
}

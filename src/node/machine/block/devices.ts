import { readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { readText } from "../proc-file.ts";

/** A disk, partition, mapping or array as the kernel lists it below `/sys/block`. */
export interface BlockDevice {
  name: string;
  /** `major:minor`, as mounts name it. */
  dev: string;
  size_bytes: number;
  /** Its folder in sysfs with all links resolved; tells how it is connected. */
  path: string;
  /** The disk it is a partition of. */
  disk: string | null;
  /** What it is made of: the encrypted partition, the members of an array, … */
  slaves: string[];
  /** Further ways to the disk that `slaves` names, of a multipath device. */
  otherPaths: string[];
  /** Name that the device mapper gave it, as in `/dev/mapper`. */
  mapped: string | null;
}

/** All block devices by name. */
export type BlockDevices = ReadonlyMap<string, BlockDevice>;

/** Sectors of sysfs have this size, whatever the disk's own have. */
const SECTOR = 512;
/** No machine has as many; a broken tree must not keep us busy. */
const MAX_DEVICES = 4_000;

const list = (path: string): string[] => {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
};

/** Members of an array that hold nothing of it: spares, and those it has thrown out. */
function isIdleMember(path: string, slave: string): boolean {
  return /\b(spare|faulty)\b/.test(readText(join(path, "md", `dev-${slave}`, "state")) ?? "");
}

function readDevice(path: string, name: string, disk: string | null): BlockDevice {
  const slaves = list(join(path, "slaves")).filter((slave) => !isIdleMember(path, slave));
  const isMultipath = readText(join(path, "dm/uuid"))?.startsWith("mpath-") ?? false;
  return {
    name,
    dev: readText(join(path, "dev")) ?? "",
    size_bytes: Number(readText(join(path, "size")) ?? 0) * SECTOR || 0,
    path,
    disk,
    slaves: isMultipath ? slaves.slice(0, 1) : slaves,
    otherPaths: isMultipath ? slaves.slice(1) : [],
    mapped: readText(join(path, "dm/name")),
  };
}

/** Reads all block devices of the host below `root`. */
export function readBlockDevices(root: string): BlockDevices {
  const base = join(root, "sys/block");
  const found = new Map<string, BlockDevice>();
  for (const entry of list(base).slice(0, MAX_DEVICES)) {
    // The kernel writes "cciss!c0d0" for /dev/cciss/c0d0; nothing that new machines have is named so.
    const path = realpathSync(join(base, entry));
    const device = readDevice(path, basename(entry), null);
    found.set(device.name, device);
    for (const part of list(path).filter((name) => name.startsWith(entry))) {
      if (readText(join(path, part, "partition")) !== null) found.set(part, readDevice(join(path, part), part, entry));
    }
  }
  return found;
}

/** Devices that are no disks: made by the kernel, made of others, or without a medium of their own. */
const NO_DISK = /^(z?ram|loop|fd|sr|dm-|md|nbd|zd|drbd|rbd|bcache|mtdblock|nvme\d+c\d+n|mmcblk\d+(boot|rpmb|gp))/;

/** The whole disks among them, one for each; several paths to one disk count as the first. */
export function physicalDisks(devices: BlockDevices): BlockDevice[] {
  const otherPaths = new Set([...devices.values()].flatMap((device) => device.otherPaths));
  return [...devices.values()].filter(
    ({ name, disk, size_bytes }) => disk === null && size_bytes > 0 && !NO_DISK.test(name) && !otherPaths.has(name),
  );
}

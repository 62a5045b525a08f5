import { realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { readMounts } from "./filesystems.ts";
import type { Mount } from "./mounts.ts";
import { readText } from "./proc-file.ts";

/** The number of the topmost folder of each subvolume of btrfs. */
const TOP_INODE = 256;

/** What takes snapshots: a filesystem, or the logical volume below one. */
export type SnapshotKind = "btrfs" | "lvm" | "zfs";

/** What a snapshot has to be taken of so that a folder is in it. */
export interface SnapshotSource {
  kind: SnapshotKind;
  /** The subvolume's path, the dataset's name, or the device of the logical volume. */
  source: string;
  type: string;
  /** The whole path of the folder, and its path from the top of the snapshot. */
  folder: string;
  inside: string;
}

/** Its source; else why there is none, as half a sentence. */
type FoundSource = SnapshotSource | { why: string };

/** The mount nearest to a folder. */
function mountAt(folder: string): Mount | undefined {
  const holds = ({ point }: Mount) => point === "/" || folder === point || folder.startsWith(`${point}/`);
  return readMounts("/")
    .filter(holds)
    .toSorted((a, b) => b.point.length - a.point.length)[0];
}

/** The device of the logical volume that a filesystem lies on; null where it lies on something else. */
function logicalVolumeOf({ dev }: Mount): string | null {
  const mapped = `/sys/dev/block/${dev}/dm`;
  if (!readText(`${mapped}/uuid`)?.startsWith("LVM-")) return null;
  const name = readText(`${mapped}/name`)?.trim();
  return name ? `/dev/mapper/${name}` : null;
}

async function findSubvolume(path: string, folder: string): Promise<FoundSource> {
  const { dev } = await stat(folder);
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at);
    if (found.dev !== dev) break;
    if (found.ino === TOP_INODE)
      return { kind: "btrfs", source: at, type: "btrfs", folder, inside: relative(at, folder) };
    if (at === "/") break;
  }
  return { why: `${path} is mounted from the middle of a subvolume of btrfs` };
}

/** Finds it. Without writing anything, so that also who may not take a snapshot can tell whether one could be taken. */
export async function findSnapshotSource(path: string): Promise<FoundSource> {
  try {
    const folder = await realpath(path);
    const mount = mountAt(folder);
    if (mount === undefined) return { why: `${path} is on no disk that is known here` };
    const { type } = mount;
    if (type === "btrfs") return await findSubvolume(path, folder);
    // A folder of the disk may be mounted here alone.
    const inside = join(mount.root, relative(mount.point, folder)).replace(/^\//, "");
    if (type === "zfs") return { kind: "zfs", source: mount.source, type, folder, inside };
    const device = logicalVolumeOf(mount);
    if (device !== null) return { kind: "lvm", source: device, type, folder, inside };
    return {
      why: `${path} is on ${type} without LVM, and snapshots are taken of btrfs, ZFS and logical volumes alone`,
    };
  } catch {
    return { why: `${path} cannot be seen from here` };
  }
}

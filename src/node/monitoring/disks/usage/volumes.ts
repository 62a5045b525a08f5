import { basename } from "node:path";
import type { BlockDevices, Host, Mount } from "../../../machine/index.ts";
import { mixShares, type Shares, sharesBySize, sharesOf } from "./shares.ts";
import { type Pools, sharesOfPool } from "./zfs-pools.ts";

/** One filesystem: where it is mounted, where to ask for its room, and how its bytes lie on the disks. */
export interface Volume {
  /** Every place that a person would name: whole mounts, subvolumes, datasets. */
  mounts: string[];
  /** Places to ask for room, whose answers add up. */
  asked: string[];
  shares: Shares;
}

/** Filesystems that live on disks; images (`squashfs`, `iso9660`) are files of another one. */
const ON_DISK = new Set(
  "ext2 ext3 ext4 xfs btrfs zfs f2fs vfat exfat ntfs ntfs3 fuseblk jfs reiserfs bcachefs hfsplus nilfs2".split(" "),
);

type Machine = Pick<Host, "resolve" | "btrfsOf">;

/** The block device that a mount's source names, through the device mapper's names and links. */
function deviceOfSource(host: Machine, devices: BlockDevices, source: string): string | null {
  const name = source.replace(/^\/dev\//, "");
  if (devices.has(name)) return name;
  // /dev/group/volume is group-volume to the device mapper, with hyphens of its own doubled.
  const mapped = name.startsWith("mapper/")
    ? name.slice("mapper/".length)
    : name
        .split("/")
        .map((part) => part.replaceAll("-", "--"))
        .join("-");
  for (const device of devices.values()) if (device.mapped === mapped) return device.name;
  const target = basename(host.resolve(source) ?? "");
  return devices.has(target) ? target : null;
}

function deviceOfMount(host: Machine, devices: BlockDevices, { dev, source }: Mount): string | null {
  for (const device of devices.values()) if (device.dev === dev) return device.name;
  return deviceOfSource(host, devices, source);
}

/** btrfs has devices of its own; the mount names only one of them. */
function sharesOfBtrfs(host: Machine, devices: BlockDevices, mount: Mount): Shares {
  const named = deviceOfMount(host, devices, mount);
  if (named === null) return new Map();
  const btrfs = host.btrfsOf(named);
  if (!btrfs) return sharesOf(devices, named);
  return mixShares([{ shares: sharesBySize(devices, btrfs.members), factor: btrfs.copies }]);
}

function sharesOfMount(host: Machine, devices: BlockDevices, pools: Pools, mount: Mount): Shares {
  if (mount.type === "zfs") return sharesOfPool(devices, pools.get(mount.source.split("/", 1)[0] ?? "") ?? []);
  if (mount.type === "btrfs") return sharesOfBtrfs(host, devices, mount);
  const device = deviceOfMount(host, devices, mount);
  return device === null ? new Map() : sharesOf(devices, device);
}

/**
 * Folders of a volume that are not inside another mounted folder of it: bind mounts repeat what is named already. The
 * subvolumes at the top of a btrfs are volumes to people, also when the top itself is mounted.
 */
function withoutBinds(group: readonly Mount[]): Mount[] {
  const roots = [...new Set(group.map(({ root }) => root))];
  const isTopSubvolume = ({ type, root }: Mount) => type === "btrfs" && root.lastIndexOf("/") === 0;
  const isInside = (inner: string, outer: string) =>
    inner !== outer && (outer === "/" || inner.startsWith(`${outer}/`));
  return group.filter((mount) => isTopSubvolume(mount) || !roots.some((other) => isInside(mount.root, other)));
}

/** The volumes of `mounts`, each once, however often and under however many names it is mounted. */
export function findVolumes(host: Machine, devices: BlockDevices, mounts: readonly Mount[], pools: Pools): Volume[] {
  const onDisk = mounts.filter(({ type }) => ON_DISK.has(type));
  const groups = Map.groupBy(onDisk, ({ type, source, dev }) =>
    type === "zfs" ? `zfs ${source.split("/", 1)[0]}` : dev,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const named = first.type === "zfs" ? group : withoutBinds(group);
    // Datasets of a pool each count their own bytes; everything else gives the same answer everywhere.
    const byDataset = new Map(named.map((mount) => [first.type === "zfs" ? mount.dev : "", mount.point]));
    return [
      {
        mounts: [...new Set(named.map(({ point }) => point))].sort(),
        asked: [...byDataset.values()],
        shares: sharesOfMount(host, devices, pools, first),
      },
    ];
  });
}

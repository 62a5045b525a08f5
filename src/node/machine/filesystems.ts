import { statSync } from "node:fs";
import { join } from "node:path";
import type { Space, SpaceReader } from "../../kernel/host/space.ts";
import { percentOf } from "../../lib/rate.ts";
import { type FilesystemMounts, type Mount, parseMountinfo, realFilesystems, visibleMounts } from "./mounts.ts";
import { readText } from "./proc-file.ts";

/** One real filesystem and how full it is. */
export interface Filesystem {
  device: string;
  mount_point: string;
  fs_type: string;
  total_bytes: number;
  used_bytes: number;
  /** What ordinary users can still write; less than total minus used, because some is kept for root. */
  free_bytes: number;
  /** Used of used plus free, as `df` counts. */
  usage_percent: number;
  /** Share of the places for files that is taken; null where they are not counted (btrfs, vfat). */
  inode_percent: number | null;
}

/** What is taken of a filesystem and what can still be written to it, in bytes. */
export interface Room {
  used: number;
  free: number;
}

/**
 * The one meaning of "how full": used of what can be used at all, as `df` counts. What is kept for root or lies beyond a
 * quota is no room, so it stands on neither side.
 */
export function fullness({ used, free }: Room): number {
  return percentOf(used, used + free);
}

/** The answers of the places of one filesystem as one: the datasets of a pool each call the whole free space theirs. */
export function joinRooms(rooms: readonly Room[]): Room {
  return { used: rooms.reduce((sum, { used }) => sum + used, 0), free: Math.max(0, ...rooms.map(({ free }) => free)) };
}

/** The filesystem that will be full first, which stands for the whole machine; null without any. */
export function fullestOf<Entry extends Pick<Filesystem, "usage_percent">>(
  filesystems: readonly Entry[],
): Entry | null {
  return filesystems.reduce<Entry | null>(
    (worst, one) => (worst === null || one.usage_percent > worst.usage_percent ? one : worst),
    null,
  );
}

async function measure(space: SpaceReader, base: string, mounts: FilesystemMounts): Promise<Filesystem | null> {
  const answers = await Promise.all(mounts.points.map((point) => space.read(join(base, point))));
  const spaces = answers.filter((answer) => answer !== null);
  if (spaces.length === 0) return null;
  const room = joinRooms(spaces);
  const [only] = spaces;
  return {
    device: mounts.device,
    mount_point: mounts.point,
    fs_type: mounts.type,
    total_bytes: spaces.length === 1 && only ? only.total : room.used + room.free,
    used_bytes: room.used,
    free_bytes: room.free,
    usage_percent: fullness(room),
    inode_percent: only && only.files.total > 0 ? percentOf(only.files.used, only.files.total) : null,
  };
}

/** A list of mounts and the folder below which its paths are found. */
interface MountView {
  mountinfo: string;
  base: string;
}

/**
 * The mounts as process 1 sees them: the unit hides /home from us, and there can be a disk behind it. Where we may not look
 * through its eyes (not root, a container), our own view has to do.
 */
function mountView(root: string): MountView {
  const init = { mountinfo: join(root, "proc/1/mountinfo"), base: root === "/" ? "/proc/1/root" : root };
  if (root !== "/") return init;
  try {
    statSync(`${init.base}/proc`);
    return init;
  } catch {
    return { mountinfo: "/proc/self/mountinfo", base: "/" };
  }
}

/** Every mount of the host below `root` that is not hidden by a later one on the same point. */
export function readMounts(root: string): Mount[] {
  return visibleMounts(parseMountinfo(readText(mountView(root).mountinfo) ?? ""));
}

/**
 * Below which folder the paths of this server lead where they do for process 1: the unit has a `/tmp` of its own. With another root only
 * the kernel's files are known to lie there, and our own view has to do.
 */
export const pathBase = (root: string): string => (root === "/" ? mountView(root).base : "/");

/** Whether something is mounted at a folder of this server, which is told by its whole path. */
export const isMountPoint = (folder: string): boolean => readMounts("/").some(({ point }) => point === folder);

/** Room at a mount point of the host below `root`; null when it does not answer. */
export function spaceAt(space: SpaceReader, root: string, point: string): Promise<Space | null> {
  return space.read(join(mountView(root).base, point));
}

/** The real filesystems of the host below `root`, by mount point. One that does not answer is left out. */
export async function readFilesystems(space: SpaceReader, root: string): Promise<Filesystem[]> {
  const { mountinfo, base } = mountView(root);
  const mounts = realFilesystems(parseMountinfo(readText(mountinfo) ?? ""));
  const measured = await Promise.all(mounts.map((entry) => measure(space, base, entry)));
  return measured.filter((entry) => entry !== null).toSorted((a, b) => (a.mount_point < b.mount_point ? -1 : 1));
}

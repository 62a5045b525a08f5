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

async function measure(space: SpaceReader, base: string, mounts: FilesystemMounts): Promise<Filesystem | null> {
  const answers = await Promise.all(mounts.points.map((point) => space.read(join(base, point))));
  const spaces = answers.filter((answer) => answer !== null);
  if (spaces.length === 0) return null;
  const used = spaces.reduce((sum, { used }) => sum + used, 0);
  const free = Math.max(...spaces.map(({ free }) => free));
  const [only] = spaces;
  return {
    device: mounts.device,
    mount_point: mounts.point,
    fs_type: mounts.type,
    // The datasets of a pool each call the whole free space theirs.
    total_bytes: spaces.length === 1 && only ? only.total : used + free,
    used_bytes: used,
    free_bytes: free,
    usage_percent: percentOf(used, used + free),
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

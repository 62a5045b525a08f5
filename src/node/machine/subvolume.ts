import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { readMounts } from "./filesystems.ts";

/** The number of the topmost folder of each subvolume. */
const TOP_INODE = 256;

/** The subvolume of btrfs that a folder lies in, both by their whole paths; else why there is none, as half a sentence. */
type FoundSubvolume = { subvolume: string; folder: string } | { why: string };

/** What filesystem a folder is on, by the mount nearest to it. */
function typeAt(folder: string): string {
  const holds = ({ point }: { point: string }) => point === "/" || folder === point || folder.startsWith(`${point}/`);
  const [nearest] = readMounts("/")
    .filter(holds)
    .toSorted((a, b) => b.point.length - a.point.length);
  return nearest?.type ?? "another filesystem";
}

/** Finds it. Without writing anything, so that also who may not take a snapshot can tell whether one could be taken. */
export async function findSubvolume(path: string): Promise<FoundSubvolume> {
  try {
    const folder = await realpath(path);
    const type = typeAt(folder);
    if (type !== "btrfs")
      return { why: `${path} is on ${type}, and snapshots are taken of btrfs alone, not of ZFS or LVM` };
    const { dev } = await stat(folder);
    for (let at = folder; ; at = dirname(at)) {
      const found = await stat(at);
      if (found.dev !== dev) break;
      if (found.ino === TOP_INODE) return { subvolume: at, folder };
      if (at === "/") break;
    }
    return { why: `${path} is mounted from the middle of a subvolume of btrfs` };
  } catch {
    return { why: `${path} cannot be seen from here` };
  }
}

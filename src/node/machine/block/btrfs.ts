import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../proc-file.ts";

/** A btrfs, which has devices of its own: a mount names only one of them. */
export interface Btrfs {
  /** Names of its devices. */
  members: string[];
  /** Copies of each byte that it keeps, by what the kernel counts; 1 where it does not count. */
  copies: number;
}

const namesIn = (path: string): string[] => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

function copiesOf(folder: string): number {
  const count = (file: string) => Number(readText(join(folder, "allocation/data", file)) ?? 0);
  const used = count("bytes_used");
  const onDisk = count("disk_used");
  return used > 0 && onDisk >= used ? onDisk / used : 1;
}

/** The btrfs that a device belongs to; null when it belongs to none that is mounted. */
export function findBtrfs(root: string, device: string): Btrfs | null {
  const base = join(root, "sys/fs/btrfs");
  for (const uuid of namesIn(base)) {
    const members = namesIn(join(base, uuid, "devices"));
    if (members.includes(device)) return { members, copies: copiesOf(join(base, uuid)) };
  }
  return null;
}

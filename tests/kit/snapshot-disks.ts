import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { runWell } from "./run-well.ts";

/** What snapshots are taken of. The kernel of a machine has the first, or its suites are skipped; the others where it happens to. */
export type DiskKind = "btrfs" | "lvm" | "lvm-thin" | "zfs";

/** A disk in a file, mounted at a folder. */
export interface Disk {
  /** Names of the snapshots on it, and of subvolumes. */
  snapshots(): Promise<string[]>;
  /** Unmounts it and takes away what is not in the file. */
  dispose(): Promise<void>;
}

const lines = (text: string): string[] => text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

/** Kinds that this machine can make. */
export function diskKinds(): DiskKind[] {
  const kinds: DiskKind[] = ["btrfs"];
  if (existsSync("/dev/mapper/control") && Bun.which("lvcreate") !== null) kinds.push("lvm", "lvm-thin");
  if (existsSync("/dev/zfs") && Bun.which("zpool") !== null) kinds.push("zfs");
  return kinds;
}

/** Makes a disk of that many megabytes (120 or more) in a new file and mounts it at a folder. Needs root. */
export async function mountDisk(kind: DiskKind, file: string, folder: string, sizeMb: number): Promise<Disk> {
  await runWell("truncate", "-s", `${sizeMb}M`, file);
  if (kind === "btrfs") return await mountBtrfs(file, folder);
  const name = `orrery-test-${basename(dirname(file)).toLowerCase()}`;
  return kind === "zfs" ? await mountZfs(name, file, folder) : await mountLvm(name, file, folder, kind === "lvm-thin");
}

async function mountBtrfs(file: string, folder: string): Promise<Disk> {
  await runWell("mkfs.btrfs", "-q", "-m", "single", "-d", "single", file);
  await runWell("mount", "-o", "loop", file, folder);
  return {
    snapshots: async () =>
      lines(await runWell("btrfs", "subvolume", "list", folder)).flatMap((line) => / path (.+)$/.exec(line)?.[1] ?? []),
    dispose: async () => void (await runWell("umount", folder)),
  };
}

async function mountZfs(name: string, file: string, folder: string): Promise<Disk> {
  await runWell("zpool", "create", "-m", folder, name, file);
  return {
    snapshots: async () => lines(await runWell("zfs", "list", "-H", "-t", "snapshot", "-o", "name", "-d", "1", name)),
    dispose: async () => void (await runWell("zpool", "destroy", name)),
  };
}

/** With XFS where it is thin, and else with ext4 on two thirds of the disk: a snapshot needs room beside it. */
async function mountLvm(name: string, file: string, folder: string, isThin: boolean): Promise<Disk> {
  const device = await runWell("losetup", "--find", "--show", file);
  await runWell("pvcreate", "-q", device);
  await runWell("vgcreate", "-q", name, device);
  if (isThin) {
    await runWell("lvcreate", "-q", "--type", "thin-pool", "-l", "90%FREE", "-n", "pool", name);
    await runWell("lvcreate", "-q", "--thin", "-V", "400M", "-n", "data", `${name}/pool`);
    await runWell("mkfs.xfs", "-q", `/dev/${name}/data`);
  } else {
    await runWell("lvcreate", "-q", "-l", "66%FREE", "-n", "data", name);
    await runWell("mkfs.ext4", "-q", `/dev/${name}/data`);
  }
  await runWell("mount", `/dev/${name}/data`, folder);
  return {
    snapshots: async () =>
      lines(await runWell("lvs", "--noheadings", "-o", "lv_name", name)).filter((volume) =>
        volume.startsWith("orrery-"),
      ),
    async dispose() {
      await runWell("umount", folder);
      await runWell("vgremove", "-q", "-y", name);
      await runWell("losetup", "--detach", device);
    },
  };
}

import { mkdir, realpath, rmdir } from "node:fs/promises";
import { isMountPoint, type SnapshotKind, type SnapshotSource } from "../../machine/index.ts";

/** Runs a program that has to succeed; what it printed. `task` says what it is for, after "could not". */
export type Work = (task: string, argv: readonly string[]) => Promise<string>;

/** How a snapshot is taken of one kind of source. */
interface Way {
  /** Makes a folder show, read-only, what the source holds now. */
  take(work: Work, from: SnapshotSource, name: string, path: string): Promise<void>;
  /** Takes that away, all of it that is still there. */
  drop(work: Work, from: SnapshotSource, name: string, path: string): Promise<void>;
}

/** Why no snapshot can be taken after all, as half a sentence. */
export class NoSnapshot extends Error {}

/** What somebody meets who looks at the server's snapshots. */
const markOf = (name: string): string => `orrery-${name}`;

const QUIET = "ro,nosuid,nodev,noexec";

/** What takes a snapshot, and how it is mounted then. */
interface Plan {
  make: readonly string[];
  how: readonly string[];
}

/** A snapshot of something below a filesystem, which shows when it is mounted at the folder. `plan` changes nothing. */
function mounted(
  plan: (work: Work, from: SnapshotSource, mark: string) => Promise<Plan>,
  remove: (work: Work, from: SnapshotSource, mark: string) => Promise<void>,
): Way {
  const way: Way = {
    async take(work, from, name, path) {
      const { make, how } = await plan(work, from, markOf(name));
      // The folder is the record of it: who comes after a crash finds by it what is left.
      await mkdir(path, { mode: 0o700 });
      try {
        await work("take a snapshot", make);
        await work("show a snapshot", ["mount", ...how, path]);
      } catch (error) {
        await way.drop(work, from, name, path).catch(() => {
          // The folder tells those who come later.
        });
        throw error;
      }
    },
    async drop(work, from, name, path) {
      const point = await realpath(path);
      if (isMountPoint(point)) await work("put a snapshot away", ["umount", "--", point]);
      await remove(work, from, markOf(name));
      await rmdir(path);
    },
  };
  return way;
}

interface LogicalVolume {
  vg_name: string;
  lv_name: string;
  /** Empty where it is not thin. */
  pool_lv: string;
  vg_free_count: string;
}

async function findVolume(work: Work, device: string): Promise<LogicalVolume> {
  const columns = "vg_name,lv_name,pool_lv,vg_free_count";
  const out = await work("look at a logical volume", [
    "lvs",
    ...["--reportformat", "json", "-o", columns, "--", device],
  ]);
  const { report }: { report: { lv: LogicalVolume[] }[] } = JSON.parse(out);
  const found = report[0]?.lv[0];
  if (found === undefined) throw new NoSnapshot(`LVM knows no logical volume ${device}`);
  return found;
}

const WAYS: Record<SnapshotKind, Way> = {
  btrfs: {
    async take(work, { source }, _name, path) {
      await work("take a snapshot", ["btrfs", "subvolume", "snapshot", "-r", "--", source, path]);
    },
    async drop(work, _from, _name, path) {
      await work("delete a snapshot", ["btrfs", "subvolume", "delete", "--", path]);
    },
  },
  zfs: mounted(
    async (work, { source }, mark) => {
      await work("look at a dataset", ["zfs", "list", "-H", "-o", "name", "--", source]);
      const name = `${source}@${mark}`;
      return { make: ["zfs", "snapshot", "--", name], how: ["-t", "zfs", "-o", QUIET, "--", name] };
    },
    async (work, { source }, mark) => {
      const all = await work("look for a snapshot", [
        "zfs",
        "list",
        "-H",
        "-d",
        "1",
        "-t",
        "snapshot",
        "-o",
        "name",
        "--",
        source,
      ]);
      const name = `${source}@${mark}`;
      if (all.split("\n").includes(name)) await work("delete a snapshot", ["zfs", "destroy", "--", name]);
    },
  ),
  lvm: mounted(
    async (work, { source, type }, mark) => {
      const { vg_name, lv_name, pool_lv, vg_free_count } = await findVolume(work, source);
      const isThin = pool_lv !== "";
      if (!isThin && Number(vg_free_count) === 0)
        throw new NoSnapshot(`the volume group ${vg_name} has no free space for what changes meanwhile`);
      // One that is not thin needs room for what changes. It is given all that is free, for as long as it is read.
      const room = isThin ? ["--setactivationskip", "n"] : ["--extents", "100%FREE"];
      // Two XFS of one id are mounted at the same time only where that is asked for.
      const options = type === "xfs" ? `${QUIET},nouuid` : QUIET;
      return {
        make: ["lvcreate", "--snapshot", "--name", mark, ...room, "--", `${vg_name}/${lv_name}`],
        how: ["-t", type, "-o", options, "--", `/dev/${vg_name}/${mark}`],
      };
    },
    async (work, { source }, mark) => {
      const { vg_name } = await findVolume(work, source);
      const all = await work("look for a snapshot", ["lvs", "--noheadings", "-o", "lv_name", "--", vg_name]);
      if (all.split("\n").some((line) => line.trim() === mark))
        await work("delete a snapshot", ["lvremove", "--yes", "--", `${vg_name}/${mark}`]);
    },
  ),
};

/** How a snapshot is taken of that. */
export const wayOf = ({ kind }: SnapshotSource): Way => WAYS[kind];

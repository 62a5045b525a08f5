import { readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { hasProgram } from "../../../kernel/host/run-program.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { nodeId } from "../../apps/apps/index.ts";
import { SNAPSHOT_FOLDER } from "../../host/host-role/index.ts";
import { findSnapshotSource, type SnapshotKind } from "../../machine/index.ts";
import type { Own } from "./needs.ts";

/** What Docker's volumes held at one moment. */
export interface TakenSnapshot {
  /** When it was about to be taken, milliseconds since 1970. */
  taken_at: number;
  /** Where a volume lies in it, which Docker has at `place`; else why it is not whole in there, as half a sentence. */
  find(place: string): Promise<{ root: string } | { why: string }>;
}

/** What takes snapshots, and the package of Debian that has it. */
const PROGRAMS: Record<SnapshotKind, { program: string; from: string }> = {
  btrfs: { program: "btrfs", from: "btrfs-progs" },
  lvm: { program: "lvcreate", from: "lvm2" },
  zfs: { program: "zfs", from: "zfsutils-linux" },
};

/** Docker's data folder; null while no engine answers. */
const dataRootOf = ({ runtime }: Pick<Own, "runtime">): string | null => runtime.facts()?.root_dir || null;

/** Why no snapshot of Docker's volumes can be taken here, in a sentence; null where one can. */
export async function whyNoSnapshot(own: Pick<Own, "runtime">): Promise<string | null> {
  const root = dataRootOf(own);
  if (root === null) return "Docker does not answer now.";
  const found = await findSnapshotSource(join(root, "volumes"));
  if ("why" in found) return `${found.why}.`;
  const { program, from } = PROGRAMS[found.kind];
  return hasProgram(program) ? null : `The program ${program} is not installed on this server; it comes with ${from}.`;
}

/** Where a volume is in a snapshot, if all of it is: what is mounted in there, and subvolumes, are not. */
async function findVolume(own: Own, dataRoot: string, volumes: string, place: string) {
  const below = relative(join(dataRoot, "volumes"), place);
  if (below.startsWith("..")) return { why: "lies elsewhere" };
  if (own.host.mounts().some(({ point }) => point.startsWith(`${place}/`)))
    return { why: "has something mounted in it" };
  const root = join(volumes, below);
  const [there, here] = await Promise.all([stat(root).catch(() => null), stat(place).catch(() => null)]);
  return there !== null && there.ino === here?.ino ? { root } : { why: "is a disk or a subvolume of its own" };
}

/**
 * Runs a task with a snapshot of all volumes, which goes afterwards. Answers why none could be taken, in a sentence, in place of what
 * the task gives.
 */
export async function withSnapshot<Result>(
  own: Own,
  opId: string,
  task: (snapshot: TakenSnapshot) => Promise<Result>,
): Promise<Result | string> {
  const why = await whyNoSnapshot(own);
  const data_root = dataRootOf(own);
  if (why !== null || data_root === null) return why ?? "Docker does not answer now.";
  const taken_at = own.clock.now();
  let taken: { name: string; volumes: string };
  try {
    taken = await own.hostRole.ask("snapshot.take", { owner: nodeId(own.seal), data_root }, { by: opId });
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  try {
    return await task({ taken_at, find: (place) => findVolume(own, data_root, taken.volumes, place) });
  } finally {
    await drop(own, data_root, taken.name, opId);
  }
}

/** What cannot be deleted now is tried again by `dropLeft`. */
async function drop(own: Own, data_root: string, name: string, by: string): Promise<void> {
  try {
    await own.hostRole.ask("snapshot.drop", { name, data_root }, { by });
  } catch (error) {
    own.log.warn("a snapshot of Docker's volumes stays for now", { name, error });
  }
}

/** Deletes snapshots that a killed program left. Only while no backup has one. */
export async function dropLeft(own: Own): Promise<void> {
  const root = dataRootOf(own);
  if (root === null) return;
  // All at once: one that is taken from here on is not among them.
  for (const name of listOwn(own, root)) await drop(own, root, name, "backups");
}

function listOwn(own: Own, root: string): string[] {
  try {
    return readdirSync(join(root, SNAPSHOT_FOLDER)).filter((name) => name.startsWith(`${nodeId(own.seal)}-`));
  } catch {
    return [];
  }
}

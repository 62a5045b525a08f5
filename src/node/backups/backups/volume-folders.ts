import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../../lib/digest.ts";
import type { VolumeSummary } from "../../apps/runtime/index.ts";
import type { EngineSession, Passed } from "../engine/index.ts";
import { ARCHIVE_ROOT } from "./archive-filter.ts";
import { codeOf } from "./failures.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

type Stored = Awaited<ReturnType<EngineSession["storeTree"]>>;

const folderOf = (own: Own): string => join(own.config.data_dir, "backup-layouts");
const FRESH = ".new";

/** Layouts are of a volume at a target; their names say nothing of either. */
const nameOf = (target: string, volume: string): string => `${sha256Hex(`${target} ${volume}`)}.db`;

/** Where a volume that is a plain folder of this machine lies; null for any other. */
export const placeOf = ({ Driver, Options, Mountpoint }: VolumeSummary): string | null =>
  Driver === "local" && Object.keys(Options ?? {}).length === 0 && Mountpoint.startsWith("/") ? Mountpoint : null;

/**
 * Stores a volume from where it lies on this machine: of what has not changed since the backup before, nothing is read. Only for a volume
 * that nobody writes to meanwhile, or as `still` has it, a snapshot. Null where it has to be read through Docker: the node may not read there, or it has what only Docker
 * can put into an archive.
 */
export async function storeFolder(
  own: Own,
  session: EngineSession,
  target: string,
  volume: VolumeSummary,
  onProgress: (passed: Passed) => void,
  still?: { root: string; taken_at: number },
): Promise<Stored | null> {
  const root = still?.root ?? placeOf(volume);
  if (root === null) return null;
  mkdirSync(folderOf(own), { recursive: true, mode: 0o700 });
  const earlier = join(folderOf(own), nameOf(target, volume.Name));
  const fresh = `${earlier}${FRESH}`;
  const taken = still && { taken_at: still.taken_at };
  try {
    const stored = await session.storeTree({ root, top: ARCHIVE_ROOT, earlier, fresh, ...taken }, onProgress);
    renameSync(fresh, earlier);
    return stored;
  } catch (error) {
    rmSync(fresh, { force: true });
    if (codeOf(error) !== "tree_unread") throw error;
    own.log.info("a volume cannot be read where it lies", { volume: volume.Name, error });
    return null;
  }
}

/** Removes layouts of volumes and of targets that are no more. */
export async function removeOldLayouts(own: Own): Promise<void> {
  mkdirSync(folderOf(own), { recursive: true, mode: 0o700 });
  const volumes = await own.runtime.requireEngine().listVolumes({});
  const targets = store.listTargets(own.db);
  const wanted = new Set(targets.flatMap(({ id }) => volumes.map(({ Name }) => nameOf(id, Name))));
  for (const name of readdirSync(folderOf(own)))
    if (!wanted.has(name)) rmSync(join(folderOf(own), name), { force: true });
}

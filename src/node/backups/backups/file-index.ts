import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Asker } from "../../platform/operations/index.ts";
import type { EngineSession, SnapshotPart } from "../engine/index.ts";
import { ARCHIVE_ROOT } from "./archive-filter.ts";
import type { BackupVolume } from "./browse-contract.ts";
import type { VolumeIndex } from "./browse-state.ts";
import { fail } from "./contract.ts";
import { closeOperation, explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import { getBackup } from "./run-backup.ts";
import { hasBackup } from "./store.ts";
import { openTarget } from "./targets.ts";

const FOLDER = "backup-index";
const LIST = "volumes.json";
const MOST_ENTRIES = 200_000;
/** Of all names together. */
const MOST_LETTERS = 64_000_000;
/** Of disk, for all of them together. */
const MOST_BYTES = 1_200_000_000;
/** Volumes whose files stay in memory. */
const MOST_HELD = 3;
const READ = "read";

/** A volume of a backup as the list of them has it. */
type Listed = Omit<BackupVolume, "is_here"> & {
  /** The same for volumes at a target that have the same in them. Older lists do not say. */
  content?: string;
};

/** A volume as it is asked for; where something is left out, the first that fits. */
export interface AskedVolume {
  app?: string | undefined;
  volume?: string | undefined;
}

/** What stands in a volume, and which it is. */
interface Found {
  index: VolumeIndex;
  app: string;
  volume: string;
}

type Files = Pick<Own, "config">;

const folderOf = ({ config }: Files, id: string): string => join(config.data_dir, FOLDER, id);

/** Whether what stands in a backup is known. */
export const isRead = (own: Files, id: string): boolean => existsSync(join(folderOf(own, id), LIST));

/** The volumes of a backup. Throws `backup_not_read`. */
export function listIndexed(own: Files, id: string): Listed[] {
  if (!isRead(own, id)) throw fail("backup_not_read");
  const listed: Listed[] = JSON.parse(readFileSync(join(folderOf(own, id), LIST), "utf8"));
  return listed;
}

/** Where the names of a volume are kept, by its place in the list. */
export const indexFile = (own: Files, id: string, at: number): string => join(folderOf(own, id), `${at}.zst`);

/** How many bytes all that is known of files takes. */
export function indexedBytes({ config }: Files): number {
  const root = join(config.data_dir, FOLDER);
  return existsSync(root) ? listKept(root).reduce((sum, { bytes }) => sum + bytes, 0) : 0;
}

/** Volumes with whether their app is here. Throws `backup_not_found` and `backup_not_read`. */
export function listVolumes(own: Own, id: string): BackupVolume[] {
  getBackup(own, id);
  const here = new Set(own.apps.list().map((app) => app.id));
  return listIndexed(own, id).map(({ content: _, ...volume }) => ({ ...volume, is_here: here.has(volume.app) }));
}

/** What stands in a volume of a backup. Throws `backup_not_read` and `backup_file_not_found`. */
export async function readIndex(own: Own, id: string, { app, volume }: AskedVolume): Promise<Found> {
  getBackup(own, id);
  const listed = listIndexed(own, id);
  const at = listed.findIndex(
    (one) => (app === undefined || one.app === app) && (volume === undefined || one.volume === volume),
  );
  const found = listed[at];
  if (!found) throw fail("backup_file_not_found", { path: volume ?? "volume" });
  return { index: await loadIndex(own, id, at), app: found.app, volume: found.volume };
}

/** The same by the volume's place in the list. */
export async function loadIndex(own: Pick<Own, "browse" | "config">, id: string, at: number): Promise<VolumeIndex> {
  const { browse } = own;
  const key = `${id} ${at}`;
  const known = browse.held.find((one) => one.key === key);
  if (known) return known.index;
  const packed = await readFile(indexFile(own, id, at));
  const index: VolumeIndex = JSON.parse(Buffer.from(await Bun.zstdDecompress(packed)).toString());
  browse.held = [{ key, index }, ...browse.held].slice(0, MOST_HELD);
  return index;
}

const listKept = (root: string) =>
  readdirSync(root).map((id) => {
    const folder = join(root, id);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    return { id, at: statSync(folder).mtimeMs, bytes };
  });

/** What is known of backups that were read longest ago, beyond what may be kept, or are listed no more, goes. */
export function tidyIndexes({ config }: Files, isListed: (id: string) => boolean): void {
  const root = join(config.data_dir, FOLDER);
  if (!existsSync(root)) return;
  let bytes = 0;
  for (const kept of listKept(root).sort((left, right) => right.at - left.at)) {
    bytes += kept.bytes;
    if (bytes > MOST_BYTES || !isListed(kept.id)) rmSync(join(root, kept.id), { recursive: true, force: true });
  }
}

/** Files of names by what they are of, so that a volume which did not change is not read again. */
function listContents(own: Files): Map<string, { file: string; entries: number }> {
  const root = join(own.config.data_dir, FOLDER);
  const known = new Map<string, { file: string; entries: number }>();
  for (const id of readdirSync(root).filter((name) => isRead(own, name)))
    for (const [at, { content, entries }] of listIndexed(own, id).entries())
      if (content !== undefined) known.set(content, { file: indexFile(own, id, at), entries });
  return known;
}

/** Reads what stands in all of a volume's archive. Throws `backup_files_many` and what the engine throws. */
async function scanVolume(session: EngineSession, part: SnapshotPart, onBytes: (bytes: number) => void) {
  const index: VolumeIndex = { entries: [], chunks: [] };
  let letters = 0;
  for await (const { id: chunk, length, entries } of session.scan(part, ARCHIVE_ROOT)) {
    index.chunks.push({ id: chunk, length });
    for (const entry of entries) {
      if (entry.path !== "") index.entries.push(entry);
      letters += entry.path.length + (entry.link?.length ?? 0);
    }
    if (index.entries.length > MOST_ENTRIES || letters > MOST_LETTERS)
      throw fail("backup_files_many", { volume: part.name, limit: MOST_ENTRIES });
    onBytes(length);
  }
  return index;
}

/** Reads what stands in a backup and keeps it, until `signal` aborts. Throws `backup_files_many` and what the engine throws. */
export async function writeIndexes(
  own: Own,
  id: string,
  target: string,
  { urgency, signal }: { urgency: "now" | "aside"; signal?: AbortSignal },
  onBytes: (done: number, total: number) => void,
): Promise<void> {
  const session = await openTarget(own, target, null, urgency, signal);
  const fresh = folderOf(own, `${id}.new`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  try {
    const { parts, apps } = await session.snapshot(id);
    const volumes = parts.filter(({ kind }) => kind === "volume");
    const total = volumes.reduce((sum, { size }) => sum + size, 0);
    const known = listContents(own);
    const listed: Listed[] = [];
    let done = 0;
    const tell = (more: number): void => {
      done += more;
      onBytes(done, total);
    };
    for (const part of volumes) {
      const content = `${target} ${part.sum ?? "bytes"} ${part.sha256}`;
      const file = join(fresh, `${listed.length}.zst`);
      const same = known.get(content);
      let entries = same?.entries ?? 0;
      if (same !== undefined) {
        copyFileSync(same.file, file);
        tell(part.size);
      } else {
        const index = await scanVolume(session, part, tell);
        writeFileSync(file, await Bun.zstdCompress(JSON.stringify(index), { level: 3 }), { mode: 0o600 });
        entries = index.entries.length;
      }
      const app = part.app ?? "";
      const app_name = apps.find((one) => one.id === part.app)?.name ?? app;
      listed.push({ app, app_name, volume: part.name, size_bytes: part.size, entries, content });
    }
    writeFileSync(join(fresh, LIST), JSON.stringify(listed), { mode: 0o600 });
    rmSync(folderOf(own, id), { recursive: true, force: true });
    renameSync(fresh, folderOf(own, id));
    tidyIndexes(own, (one) => hasBackup(own.db, one));
  } finally {
    session.end();
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Begins to read what stands in a backup; null when that is known. Throws what `POST /api/backups/{id}/browse` answers. */
export function openBackup(own: Own, by: Asker, id: string): { op_id: string | null } {
  const backup = getBackup(own, id);
  if (backup.status !== "completed") throw fail("backup_not_completed");
  if (isRead(own, id)) return { op_id: null };
  const { reading } = own.browse;
  const begun = reading.get(id);
  if (begun) return { op_id: begun.op_id };
  if (reading.size > 0) throw fail("backup_busy");
  const op = own.operations.begin({
    kind: "backup.browse",
    subject_id: id,
    title: "Look into a backup",
    steps: [{ step: READ, title: "Read what stands in it" }],
    by,
  });
  const run = async (): Promise<void> => {
    let failure: Failure | null = null;
    try {
      op.step(READ, "running");
      await writeIndexes(own, id, backup.target, { urgency: "now" }, (done, total) =>
        op.progress(READ, {
          percent: total === 0 ? null : Math.floor((100 * done) / total),
          bytes_done: done,
          bytes_total: total,
        }),
      );
      op.step(READ, "done");
    } catch (error) {
      failure = explain(error);
      op.step(READ, "failed");
    } finally {
      reading.delete(id);
    }
    closeOperation(op, failure);
  };
  const done = run();
  reading.set(id, { op_id: op.id, done });
  return { op_id: op.id };
}

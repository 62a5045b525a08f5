import { lstat, opendir, rm } from "node:fs/promises";
import { join } from "node:path";
import { OWN_FOLDER } from "./places.ts";

/** Every file below a folder, links not followed; what vanishes meanwhile is left out. */
async function* walk(folder: string): AsyncGenerator<{ path: string; isOwn: boolean }> {
  for (const waiting = [{ path: folder, isOwn: false }]; ; ) {
    const next = waiting.pop();
    if (next === undefined) return;
    const entries = await opendir(next.path).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      const path = join(next.path, entry.name);
      const isOwn = next.isOwn || (next.path === folder && entry.name === OWN_FOLDER);
      if (entry.isDirectory()) waiting.push({ path, isOwn });
      else yield { path, isOwn };
    }
  }
}

/** What a folder takes on disk. */
export async function measureFolder(folder: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const { path } of walk(folder)) {
    signal.throwIfAborted();
    const found = await lstat(path).catch(() => null);
    bytes += (found?.blocks ?? 0) * 512;
  }
  return bytes;
}

/** How many files of objects changed after that moment; what a MinIO notes for itself is left out. */
export async function countChanged(folder: string, since: number): Promise<number> {
  let count = 0;
  for await (const { path, isOwn } of walk(folder)) {
    if (isOwn) continue;
    const found = await lstat(path).catch(() => null);
    if (found !== null && found.mtimeMs > since) count += 1;
  }
  return count;
}

/** Removes all that is in the data folder of a MinIO, what marks it as one last, so that a removal that was cut off is known again. */
export async function removeData(folder: string): Promise<void> {
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return;
  for await (const { name } of entries)
    if (name !== OWN_FOLDER) await rm(join(folder, name), { recursive: true, force: true });
  await rm(join(folder, OWN_FOLDER), { recursive: true, force: true });
  // A folder that something is mounted on stays, empty.
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "../../../lib/ids.ts";

/** What a file holds that says that there is no thumbnail of its content. */
const NONE = "none";

/** Thumbnails on the disk, by the SHA-256 of what they show. */
export interface ThumbnailCache {
  /** The file of one; null where it is known that there is none, undefined where nothing is known. */
  find(sha256: string): Promise<Bun.BunFile | null | undefined>;
  /** Keeps one, or that there is none, and removes what was not asked for longest where they are too many. */
  keep(sha256: string, bytes: Uint8Array | null): Promise<void>;
  forget(sha256: string): Promise<void>;
}

/** A cache in a folder that may be lost at any time, of at most `maxBytes` and `maxFiles`. */
export function createThumbnailCache(
  folder: string,
  ids: Ids,
  { maxBytes, maxFiles }: { maxBytes: number; maxFiles: number },
): ThumbnailCache {
  /** Sizes by name, the one that was asked for longest ago first. */
  const sizes = new Map<string, number>();
  let total = 0;
  let opening: Promise<void> | null = null;
  const pathOf = (name: string): string => join(folder, name);

  async function readFolder(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const found: { name: string; size: number; at: number }[] = [];
    for (const name of await readdir(folder)) {
      // What was being written when the program ended.
      if (name.endsWith(".new")) await rm(pathOf(name), { force: true });
      else {
        const { size, mtimeMs } = await stat(pathOf(name));
        found.push({ name, size, at: mtimeMs });
      }
    }
    for (const { name, size } of found.toSorted((left, right) => left.at - right.at)) note(name, size);
  }

  function note(name: string, size: number): void {
    total += size - (sizes.get(name) ?? 0);
    sizes.delete(name);
    sizes.set(name, size);
  }

  async function drop(name: string): Promise<void> {
    total -= sizes.get(name) ?? 0;
    sizes.delete(name);
    await rm(pathOf(name), { force: true });
  }

  async function opened(): Promise<void> {
    opening ??= readFolder().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    await opening;
  }

  return {
    async find(sha256) {
      await opened();
      const size = sizes.get(sha256);
      if (size === undefined) return undefined;
      note(sha256, size);
      const file = Bun.file(pathOf(sha256));
      const isThere = await file.exists();
      if (isThere && size === NONE.length && (await file.text()) === NONE) return null;
      // After a power cut a file may be shorter than it was.
      if (isThere && size > NONE.length && file.size === size) return file;
      await drop(sha256);
      return undefined;
    },
    async keep(sha256, bytes) {
      await opened();
      const content = bytes ?? NONE;
      const path = pathOf(`${ids.next("tmb")}.new`);
      await Bun.write(path, content);
      await rename(path, pathOf(sha256));
      note(sha256, content.length);
      for (const name of sizes.keys()) {
        if (total <= maxBytes && sizes.size <= maxFiles) return;
        await drop(name);
      }
    },
    async forget(sha256) {
      await opened();
      if (sizes.has(sha256)) await drop(sha256);
    },
  };
}

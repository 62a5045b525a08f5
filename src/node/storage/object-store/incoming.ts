import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Layout, PACKED_BYTES } from "./layout.ts";
import type { NewBlob } from "./operations.ts";

/** Bytes on their way in: few stay in memory, many go to a file as they come. */
export interface Incoming {
  /** Takes the next bytes; they are copied or written when it resolves. */
  add(bytes: Uint8Array): Promise<void>;
  /** All are there: they are on disk, unless they go with the change itself into a segment. */
  finish(): Promise<NewBlob>;
  /** Forgets them. */
  drop(): Promise<void>;
}

/** What is written in one go. */
const WRITE_BYTES = 512 * 1024;

/** Begins to take bytes under a new id; `unsynced` are the folders of this store whose own names may not be on disk yet. */
export function createIncoming(layout: Layout, id: string, unsynced: Set<string>): Incoming {
  const path = join(layout.incoming, id);
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let size = 0;
  let crc = 0;
  let file: FileHandle | null = null;

  async function writeAll(target: FileHandle, bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) written += (await target.write(bytes, written)).bytesWritten;
  }

  async function writeHeld(): Promise<void> {
    const all = held;
    held = [];
    heldBytes = 0;
    file ??= await open(path, "wx", 0o600);
    await writeAll(file, all.length === 1 && all[0] ? all[0] : Buffer.concat(all));
  }

  return {
    async add(bytes) {
      size += bytes.length;
      crc = Bun.hash.crc32(bytes, crc);
      held.push(new Uint8Array(bytes));
      heldBytes += bytes.length;
      if (size <= PACKED_BYTES || heldBytes < WRITE_BYTES) return;
      await writeHeld();
    },
    async finish() {
      if (size > PACKED_BYTES) await writeHeld();
      if (file === null) return { id, size, crc, bytes: held.length === 1 && held[0] ? held[0] : Buffer.concat(held) };
      await file.datasync();
      await file.close();
      file = null;
      const made = await mkdir(layout.blobFolder(id), { recursive: true, mode: 0o700 });
      await rename(path, layout.blob(id));
      await syncFolder(layout.blobFolder(id));
      // Somebody else may have made it a moment ago, and not have waited for it yet.
      if (made !== undefined) unsynced.add(layout.blobFolder(id));
      if (unsynced.has(layout.blobFolder(id))) {
        await syncFolder(layout.blobs);
        unsynced.delete(layout.blobFolder(id));
      }
      return { id, size, crc, bytes: null };
    },
    async drop() {
      held = [];
      await file?.close();
      file = null;
      await rm(path, { force: true });
    },
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

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

/** Begins to take bytes under a new id. */
export function createIncoming(layout: Layout, id: string): Incoming {
  const path = join(layout.incoming, id);
  let held: Uint8Array[] = [];
  let size = 0;
  let crc = 0;
  let file: FileHandle | null = null;

  async function writeAll(target: FileHandle, bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) written += (await target.write(bytes, written)).bytesWritten;
  }

  return {
    async add(bytes) {
      size += bytes.length;
      crc = Bun.hash.crc32(bytes, crc);
      if (file === null && size <= PACKED_BYTES) return void held.push(new Uint8Array(bytes));
      if (file === null) {
        file = await open(path, "wx", 0o600);
        for (const part of held) await writeAll(file, part);
        held = [];
      }
      await writeAll(file, bytes);
    },
    async finish() {
      if (file === null) return { id, size, crc, bytes: held.length === 1 && held[0] ? held[0] : Buffer.concat(held) };
      await file.datasync();
      await file.close();
      file = null;
      await mkdir(layout.blobFolder(id), { recursive: true, mode: 0o700 });
      await rename(path, layout.blob(id));
      await syncFolder(layout.blobFolder(id));
      await syncFolder(layout.blobs);
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

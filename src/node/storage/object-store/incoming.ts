import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Layout, PACKED_BYTES } from "./layout.ts";
import type { NewBlob } from "./operations.ts";
import { aboutBlob } from "./records.ts";
import type { Vault } from "./vault.ts";

/** Bytes on their way in: few stay in memory, many go to a file as they come. */
export interface Incoming {
  /** Takes the next bytes, which nobody may change afterwards: they are written a little later. */
  add(bytes: Uint8Array): Promise<void>;
  /** All are there: they are on disk, unless they go with the change itself into a segment. */
  finish(): Promise<NewBlob>;
  /** Forgets them. */
  drop(): Promise<void>;
}

/** What is written in one go, and of how many parts. */
const WRITE_BYTES = 512 * 1024;
const WRITE_PARTS = 512;

/**
 * Begins to take bytes under a new id; `synced` are the folders of this store whose own names are on disk for sure. With a vault the file is
 * encrypted; what goes into a segment is encrypted there.
 */
export function createIncoming(layout: Layout, id: string, synced: Set<string>, vault: Vault | null): Incoming {
  const sealer = vault?.sealer(aboutBlob(id)) ?? null;
  const sealed = sealer === null ? 0 : 1;
  const path = join(layout.incoming, id);
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let size = 0;
  let crc = 0;
  let file: FileHandle | null = null;

  async function writeAll(target: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
    for (let left = [...parts]; left.length > 0; ) {
      let { bytesWritten } = await target.writev(left);
      const whole = left.findIndex((part) => {
        if (part.length > bytesWritten) return true;
        bytesWritten -= part.length;
        return false;
      });
      left = whole === -1 ? [] : left.slice(whole);
      if (left[0] !== undefined) left[0] = left[0].subarray(bytesWritten);
    }
  }

  async function writeHeld(): Promise<void> {
    const all = held;
    held = [];
    heldBytes = 0;
    file ??= await open(path, "wx", 0o600);
    const parts = sealer === null ? all : all.flatMap((bytes) => sealer.add(bytes));
    for (let at = 0; at < parts.length; at += WRITE_PARTS) await writeAll(file, parts.slice(at, at + WRITE_PARTS));
  }

  return {
    async add(bytes) {
      size += bytes.length;
      crc = Bun.hash.crc32(bytes, crc);
      // What goes to another thread is copied with all the memory that it is a part of.
      held.push(size <= PACKED_BYTES ? new Uint8Array(bytes) : bytes);
      heldBytes += bytes.length;
      if (size <= PACKED_BYTES || (heldBytes < WRITE_BYTES && held.length < WRITE_PARTS)) return;
      await writeHeld();
    },
    async finish() {
      if (size > PACKED_BYTES) await writeHeld();
      if (file === null)
        return { id, size, crc, bytes: held.length === 1 && held[0] ? held[0] : Buffer.concat(held), sealed: 0 };
      if (sealer !== null) await writeAll(file, sealer.end());
      await file.datasync();
      await file.close();
      file = null;
      const folder = layout.blobFolder(id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, layout.blob({ id, sealed }));
      await syncFolder(folder);
      if (!synced.has(folder)) {
        await syncFolder(layout.blobs);
        synced.add(folder);
      }
      return { id, size, crc, bytes: null, sealed };
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

import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ARCHIVE_ROOT, BrokenArchive, readOnlyFile, type StillFile, walkArchive } from "./archive-filter.ts";
import type { ReadPath } from "./volumes.ts";

/** What is still to be written to a database or to be taken back, beside its file. */
const LOGS = ["-journal", "-wal"];

/** Too large for the disk of the node. */
export class NoRoom extends Error {}

/** A file of a volume, copied to the node's disk. */
interface Copy extends StillFile {
  copy: string;
}

interface Found {
  headers: Uint8Array;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

const sizeOf = (copies: readonly Copy[]): number => copies.reduce((sum, { size }) => sum + size, 0);

/** Below a folder of a volume; the volume itself is an empty one. */
const below = (folder: string, path: string): string => (folder === "" ? path : `${folder}/${path}`);

/** Whether an archive has one path before another: its names are in the order of their bytes, folder by folder. */
export function comesBefore(first: string, second: string): boolean {
  const [ones, others] = [first.split("/"), second.split("/")];
  const at = ones.findIndex((name, index) => name !== others[index]);
  if (at === -1) return ones.length < others.length;
  const other = others[at];
  return other !== undefined && Buffer.compare(Buffer.from(ones[at] ?? ""), Buffer.from(other)) < 0;
}

/** Copies of the databases of a volume in a folder of the node. */
export function createCopies(scratch: string) {
  let made = 0;

  /** Throws NoRoom and BrokenArchive, without a copy. */
  async function save(path: string, { headers, size, content }: Found, room: number): Promise<Copy> {
    if (size > room) throw new NoRoom();
    made += 1;
    const copy = join(scratch, `still-${made}`);
    try {
      const file = await open(copy, "w", 0o600);
      try {
        for await (const piece of content) await file.writeFile(piece);
      } finally {
        await file.close();
      }
    } catch (error) {
      await rm(copy, { force: true });
      throw error;
    }
    async function* read(): AsyncGenerator<Uint8Array> {
      for await (const piece of createReadStream(copy)) yield piece;
      await rm(copy, { force: true });
    }
    return { path, headers, size, read, copy };
  }

  async function drop(copies: readonly Copy[]): Promise<void> {
    for (const { copy } of copies) await rm(copy, { force: true });
  }

  return {
    drop,
    /** One database with its logs; none where it was removed meanwhile. Throws NoRoom. */
    async takeOne(read: ReadPath, path: string, room: number): Promise<Copy[]> {
      const copies: Copy[] = [];
      try {
        for (const ending of ["", ...LOGS]) {
          const at = `${path}${ending}`;
          const copy = await read(at, async (archive) => {
            const found = await readOnlyFile(archive, at.slice(at.lastIndexOf("/") + 1));
            return found && (await save(at, found, room - sizeOf(copies)));
          });
          // Without its file a log is nothing.
          if (ending === "" && copy === null) return [];
          if (copy !== null) copies.push(copy);
        }
      } catch (error) {
        await drop(copies);
        throw error;
      }
      return copies;
    },
    /** The databases of a folder behind `after`, each with its logs, as far as room and time are enough for them. */
    async takeAhead(
      read: ReadPath,
      { folder, after, room, isOver }: { folder: string; after: string; room: number; isOver(): boolean },
    ): Promise<Map<string, Copy[]>> {
      const taken = new Map<string, Copy[]>();
      let left = room;
      let reached: string | null = after;
      async function* inTime(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const piece of archive) {
          if (isOver()) return;
          yield piece;
        }
      }
      await read(folder, async (archive) => {
        const pieces = inTime(archive);
        try {
          const top = folder === "" ? ARCHIVE_ROOT : folder.slice(folder.lastIndexOf("/") + 1);
          for await (const entry of walkArchive(pieces, top)) {
            const path = below(folder, entry.path);
            reached = path;
            const whose = LOGS.filter((ending) => path.endsWith(ending)).map((ending) =>
              taken.get(path.slice(0, -ending.length)),
            );
            const owner = whose.find((copies) => copies !== undefined);
            if (owner === undefined && !(entry.isDatabase && comesBefore(after, path))) continue;
            const copy = await save(path, entry, left);
            left -= copy.size;
            if (owner === undefined) taken.set(path, [copy]);
            else owner.push(copy);
          }
          reached = null;
        } catch (error) {
          if (!(error instanceof BrokenArchive || error instanceof NoRoom)) throw error;
        } finally {
          await pieces.return(undefined);
        }
      });
      // Where it ended in the middle, logs of the last ones are missing.
      for (const [path, copies] of taken) {
        if (reached === null || LOGS.every((ending) => comesBefore(`${path}${ending}`, reached ?? ""))) continue;
        taken.delete(path);
        await drop(copies);
      }
      return taken;
    },
  };
}

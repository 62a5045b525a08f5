import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { readOnlyFile, type StillFile } from "./archive-filter.ts";
import { whilePaused } from "./halts.ts";
import type { Own } from "./needs.ts";
import type { Halting } from "./policy-store.ts";
import { roomFor } from "./room.ts";
import { besideReading, type ReadPath, type TakeStill } from "./volumes.ts";

/** What a database is at one moment: its file, and what is still to be written to it or to be taken back. */
const PARTS = ["", "-journal", "-wal"];

/** Too large for the disk of the node. */
class NoRoom extends Error {}

/** Copies one file of a volume to the node's disk; null where there is none. */
async function save(read: ReadPath, path: string, copy: string, room: number): Promise<StillFile | null> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return await read(path, async (archive) => {
    const found = await readOnlyFile(archive, name);
    if (found === null) return null;
    const { headers, size, content } = found;
    if (size > room) throw new NoRoom();
    const file = await open(copy, "w", 0o600);
    try {
      for await (const piece of content) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    async function* readCopy(): AsyncGenerator<Uint8Array> {
      for await (const piece of createReadStream(copy)) yield piece;
      await rm(copy, { force: true });
    }
    return { path, headers, size, read: readCopy };
  });
}

/** How SQLite databases of an app that is neither paused nor stopped are taken, and what should be known of that, in sentences. */
export interface StillDatabases {
  take: TakeStill;
  notes: string[];
}

/**
 * A file that is written while it is read is copied half. So an app that goes on during its backup is paused for the moment in which one of
 * its SQLite databases is read, with its log: that is what it would find after a power cut, which SQLite is made for.
 */
export function stillDatabases(own: Own, appId: string, mode: Halting, opId: string, scratch: string): StillDatabases {
  const notes: string[] = [];
  if (mode !== "none") return { take: async () => null, notes };
  return {
    notes,
    async take(volume, path) {
      const files: StillFile[] = [];
      try {
        let room = await roomFor(own);
        await besideReading(own, appId, volume, (read) =>
          whilePaused(own, appId, opId, async () => {
            for (const ending of PARTS) {
              const file = await save(read, `${path}${ending}`, join(scratch, `still${ending}`), room);
              if (file !== null) files.push(file);
              room -= file?.size ?? 0;
            }
          }),
        );
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
        const app = own.apps.get(appId).name;
        notes.push(
          `${path} in ${volume.name} of ${app} was copied while it was written: this server's disk has too little room to take it at one moment.`,
        );
        return null;
      }
      // Without its file a log is nothing; it was removed meanwhile.
      return files[0]?.path === path ? files : [];
    },
  };
}

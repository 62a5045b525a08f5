import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  blobFileName,
  type CatalogueCopy,
  layoutOf,
  openCatalogueCopy,
  writtenSize,
} from "../../storage/object-store/index.ts";
import type { EngineSession, SnapshotPart } from "../engine/index.ts";
import { codeOf } from "./failures.ts";
import type { Own } from "./needs.ts";
import { OBJECT_PARTS, partOf } from "./objects-parts.ts";
import * as store from "./store.ts";

/** So many files are handed to the engine at a time, or so many bytes. */
const MOST_FILES = 500;
const MOST_BYTES = 64 * 1024 * 1024;

/** What storing the objects made of them. */
export interface StoredObjects {
  parts: SnapshotPart[];
  added: number;
  /** Large objects whose bytes could not be read, and are not in the backup. */
  lost: number;
}

/** What the backup before has of the objects, as far as it helps this one. */
interface Earlier {
  parts: readonly SnapshotPart[];
  catalogue: CatalogueCopy;
  index: string;
}

/** Opens what the newest good backup at that target has. Null where there is none, or it cannot be read: all is read then. */
async function openEarlier(own: Own, session: EngineSession, target: string, scratch: string): Promise<Earlier | null> {
  const newest = store.listGood(own.db, target).findLast(({ include_objects }) => include_objects === 1);
  if (newest === undefined) return null;
  try {
    const { parts } = await session.snapshot(newest.id);
    const catalogue = partOf(parts, OBJECT_PARTS.catalogue);
    const index = partOf(parts, OBJECT_PARTS.index);
    if (catalogue === null || index === null) return null;
    const earlier = { catalogue: join(scratch, "earlier.db"), index: join(scratch, "earlier-blobs.db") };
    await session.writeFile(catalogue, earlier.catalogue);
    await session.writeFile(index, earlier.index);
    return { parts, index: earlier.index, catalogue: openCatalogueCopy(earlier.catalogue) };
  } catch (error) {
    if (codeOf(error) !== "damaged" && codeOf(error) !== "snapshot_missing") throw error;
    own.log.warn("the backup before does not help this one", { backup: newest.id, error });
    return null;
  }
}

/**
 * Puts buckets and Drives into a repository: the catalogue as it is at one moment, then the bytes that it names. Files that the newest
 * backup at that target has are not read again. The store must be pinned. `onBytes` is told of what is looked at; it may throw to end it.
 */
export async function storeObjects(
  own: Own,
  session: EngineSession,
  target: string,
  scratch: string,
  onBytes: (bytes: number) => void,
): Promise<StoredObjects> {
  const stored: StoredObjects = { parts: [], added: 0, lost: 0 };
  const folder = own.objectStore.folder();
  if (folder === null) return stored;
  const layout = layoutOf(folder);
  const path = join(scratch, "catalogue.db");
  const add = (kind: SnapshotPart["kind"], name: string, result: Awaited<ReturnType<EngineSession["storeFile"]>>) => {
    const { added, ...rest } = result;
    stored.parts.push({ kind, app: null, name, ...rest });
    stored.added += added;
  };
  await session.copyDatabase(layout.catalogue, path);
  add("database", OBJECT_PARTS.catalogue, await session.storeFile(path));
  const catalogue = openCatalogueCopy(path);
  const earlier = await openEarlier(own, session, target, scratch);
  try {
    for (const { id, bytes } of catalogue.listSegments()) {
      onBytes(bytes);
      const name = OBJECT_PARTS.segment(id);
      const known = earlier && partOf(earlier.parts, name);
      if (known?.size === bytes && earlier !== null && catalogue.isSegmentKnown(id, earlier.catalogue))
        stored.parts.push(known);
      else add("file", name, await session.storeFile(layout.segment(id), bytes));
    }
    const index = join(scratch, "blobs.db");
    const blobs = earlier && partOf(earlier.parts, OBJECT_PARTS.blobs);
    await session.beginBlobs(index, earlier && blobs && { index: earlier.index, part: blobs });
    for (let after = ""; ; ) {
      const page = takeBatch(catalogue.listFileBlobs(after, MOST_FILES));
      // One that was encrypted since is another file with another name.
      const files = page.map((blob) => ({ id: blobFileName(blob), size: writtenSize(blob), path: layout.blob(blob) }));
      onBytes(files.reduce((sum, { size }) => sum + size, 0));
      stored.lost += (await session.addBlobs(files)).length;
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    add("blobs", OBJECT_PARTS.blobs, await session.endBlobs());
    add("database", OBJECT_PARTS.index, await session.storeFile(index));
    return stored;
  } finally {
    catalogue.close();
    earlier?.catalogue.close();
    for (const name of ["catalogue.db", "earlier.db", "earlier-blobs.db", "blobs.db"])
      rmSync(join(scratch, name), { force: true });
  }
}

/** The first of them, as long as they stay below what is handed on at a time. */
function takeBatch<Blob extends { size: number }>(blobs: readonly Blob[]): Blob[] {
  let bytes = 0;
  const beyond = blobs.findIndex(({ size }, at) => {
    bytes += size;
    return at > 0 && bytes > MOST_BYTES;
  });
  return beyond === -1 ? [...blobs] : blobs.slice(0, beyond);
}

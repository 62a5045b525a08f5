import { EngineFailure, type Target } from "../../engine/index.ts";
import { parseIndex, parseSnapshot, type ResticSnapshot } from "./documents.ts";
import { overLimit, ResticFailure } from "./failure.ts";
import type { IndexStore } from "./index-store.ts";
import { isMissing, type Opened } from "./repository.ts";
import { MOST_BYTES, openFile } from "./seal.ts";

export const MOST_BLOBS = 5_000_000;
export const MOST_SNAPSHOTS = 10_000;
const MOST_INDEX_FILES = 20_000;
const MOST_SNAPSHOT_BYTES = 1024 * 1024;
/** Asked for at once: most of the time goes by on the way. */
const AT_ONCE = 8;

/** How far it is, in bytes. */
export interface Progress {
  done: number;
  total: number;
}

type Entry = { name: string; size: number };

async function readSnapshot(target: Target, { key }: Opened, { name, size }: Entry): Promise<ResticSnapshot | null> {
  const id = name.slice(name.lastIndexOf("/") + 1);
  if (size > MOST_SNAPSHOT_BYTES) return null;
  try {
    return parseSnapshot(
      openFile(key, name, await target.read(name, undefined, MOST_SNAPSHOT_BYTES), MOST_SNAPSHOT_BYTES),
      id,
    );
  } catch (error) {
    if (error instanceof ResticFailure || (error instanceof EngineFailure && error.code === "damaged")) return null;
    throw error;
  }
}

async function* syncSnapshots(target: Target, opened: Opened, store: IndexStore, listed: readonly Entry[]) {
  const idOf = ({ name }: Entry): string => name.slice(name.lastIndexOf("/") + 1);
  store.keepSnapshots(new Set(listed.map(idOf)));
  const known = store.snapshotIds();
  const fresh = listed.filter((entry) => !known.has(idOf(entry)));
  for (let at = 0; at < fresh.length; at += AT_ONCE) {
    const some = fresh.slice(at, at + AT_ONCE);
    const read = await Promise.all(
      some.map((entry) =>
        // What was forgotten since it was listed is no snapshot any more.
        readSnapshot(target, opened, entry).catch((error: unknown) => {
          if (isMissing(error)) return null;
          throw error;
        }),
      ),
    );
    for (const [number, entry] of some.entries()) store.addSnapshot(idOf(entry), read[number] ?? null);
    yield some.reduce((sum, { size }) => sum + size, 0);
  }
}

async function* syncIndex(target: Target, opened: Opened, store: IndexStore, listed: readonly Entry[]) {
  const there = new Set(listed.map(({ name }) => name));
  // Whoever prunes writes the index anew, and blobs lie elsewhere.
  if ([...store.files()].some((name) => !there.has(name))) store.clearIndex();
  const known = store.files();
  for (const { name, size } of listed) {
    if (!known.has(name)) {
      if (size > MOST_BYTES) throw overLimit(`${name} is larger than ${MOST_BYTES} bytes`);
      const bytes = await target.read(name).catch((error: unknown) => {
        if (isMissing(error)) throw new ResticFailure("restic_changed", `It was changed meanwhile: ${name} is gone.`);
        throw error;
      });
      store.addFile(name, parseIndex(openFile(opened.key, name, bytes), name));
      if (store.countBlobs() > MOST_BLOBS) throw overLimit(`It has more than ${MOST_BLOBS} blobs`);
    }
    yield size;
  }
}

/** Reads what is new of the index and of snapshots, and says how far that is. Throws `no_room` where `room` bytes are too few for it. */
export async function* syncStore(
  target: Target,
  opened: Opened,
  store: IndexStore,
  room: number,
): AsyncGenerator<Progress> {
  store.begin(opened.id);
  const snapshots = await target.list("snapshots");
  const index = await target.list("index");
  if (snapshots.length > MOST_SNAPSHOTS) throw overLimit(`It has more than ${MOST_SNAPSHOTS} snapshots`);
  if (index.length > MOST_INDEX_FILES) throw overLimit(`It has more than ${MOST_INDEX_FILES} index files`);
  const total = [...snapshots, ...index].reduce((sum, { size }) => sum + size, 0);
  // A blob takes as many bytes here as in an index that is packed; the log of the database takes some of them twice.
  if (2 * total > room)
    throw new ResticFailure("restic_room", `Its index needs ${Math.ceil((2 * total) / 1024 ** 2)} MB.`);
  let done = 0;
  const counted = (bytes: number): Progress => {
    done += bytes;
    return { done, total };
  };
  for await (const bytes of syncSnapshots(target, opened, store, snapshots)) yield counted(bytes);
  for await (const bytes of syncIndex(target, opened, store, index)) yield counted(bytes);
}

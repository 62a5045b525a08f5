import { EngineFailure } from "./failure.ts";
import { readListIds } from "./id-list.ts";
import { ahead } from "./lane.ts";
import type { Repository } from "./repository.ts";
import type { SnapshotPart } from "./snapshot.ts";
import { createTarReader, sumOf, type TarEntry, type TarReader } from "./tar.ts";

const BLOCK = 512;
const MAGIC_AT = 257;
const MAGIC = Buffer.from("ustar");
/** What ends an archive. */
const END_BYTES = 2 * BLOCK;
/** Most that is named of one backup; the rest is counted. */
const MOST_NAMED = 200;

/** What cannot be read of a part of a backup. */
export interface DamagedPlace {
  app: string | null;
  part: string;
  /** A file of a volume; empty: from its beginning; null: all of the part. */
  path: string | null;
  /**
   * Where this is said, what stands between the two in the volume's archive is lost, and nothing says what it was; empty: to its end. In
   * an archive a folder comes before what is in it.
   */
  until: string | null;
}

/** What damage hits: the first places, and how many there are. */
export interface NamedDamage {
  places: DamagedPlace[];
  count: number;
}

type InVolume = Pick<DamagedPlace, "path" | "until">;

/** The bytes of a chunk; null for one that is lost. */
async function tryGet(repository: Repository, id: string): Promise<Uint8Array | null> {
  try {
    return await repository.get(id);
  } catch (error) {
    if (error instanceof EngineFailure && (error.code === "damaged" || error.code === "target_missing")) return null;
    throw error;
  }
}

const sumIn = (header: Uint8Array): number => Number.parseInt(Buffer.from(header.subarray(148, 154)).toString(), 8);

interface Found {
  reader: TarReader;
  entries: TarEntry[];
  /** How many bytes it has read. */
  read: number;
}

/** Reads on in bytes from the middle of an archive, from the first entry that begins in them; null where none does. */
function findEntry(bytes: Buffer, root: string): Found | null {
  for (let found = bytes.indexOf(MAGIC); found !== -1; found = bytes.indexOf(MAGIC, found + 1)) {
    const at = found - MAGIC_AT;
    if (at < 0 || at + BLOCK > bytes.length) continue;
    const header = bytes.subarray(at, at + BLOCK);
    if (sumIn(header) !== sumOf(header)) continue;
    const reader = createTarReader(root);
    try {
      return { reader, entries: reader.push(bytes.subarray(at)), read: bytes.length - at };
    } catch {
      // A header in what a file holds, or one whose name stands in what was lost.
    }
  }
  return null;
}

/** The files of a volume's archive of `size` bytes that lost chunks, which are null, hit: behind each it is read on at the next header. */
async function* namesIn(
  chunks: AsyncIterable<Uint8Array | null>,
  root: string,
  size: number,
): AsyncGenerator<InVolume> {
  let reader: TarReader | null = createTarReader(root);
  let last: TarEntry | null = null;
  /** The last name that was seen, and how much the reader has read. */
  let path = "";
  let read = 0;
  let gaps = 0;
  /** What came since the gap in which no entry began, as far as one may begin in it. */
  let rest: Uint8Array = new Uint8Array(0);
  /** The gap whose end is looked for, and the first one, of which the end tells whether anything stood in it. */
  let open: { path: string; end: number | null } | null = null;
  let first: (InVolume & { end: number }) | null = null;
  for await (const chunk of chunks) {
    let entries: TarEntry[];
    if (chunk === null) {
      if (first) yield { path: first.path, until: first.until };
      first = null;
      if (reader !== null) {
        gaps += 1;
        if (last !== null && read < last.end) yield { path, until: null };
        open ??= { path, end: gaps === 1 ? (last?.end ?? 0) : null };
      }
      reader = null;
      rest = new Uint8Array(0);
      continue;
    }
    if (reader === null) {
      const bytes: Buffer = Buffer.concat([rest, chunk]);
      const found = findEntry(bytes, root);
      if (found === null) {
        rest = bytes.subarray(Math.max(0, bytes.length - BLOCK));
        continue;
      }
      ({ reader, entries, read } = found);
      last = null;
    } else {
      entries = reader.push(chunk);
      read += chunk.length;
    }
    const [next] = entries;
    if (open !== null && next !== undefined) {
      const gap: InVolume = { path: open.path, until: next.path };
      if (open.end === null) yield gap;
      else first = { ...gap, end: open.end };
      open = null;
    }
    last = entries.at(-1) ?? last;
    path = last?.path ?? path;
  }
  // Of a gap that is the only one, what came behind it tells where it ended.
  if (first !== null && size - read !== first.end) yield { path: first.path, until: first.until };
  if (open !== null && (open.end === null || open.end + END_BYTES < size)) yield { path: open.path, until: "" };
}

/** The ids of a part's chunks; null where what says so is lost. */
async function idsOf(repository: Repository, part: SnapshotPart): Promise<string[] | null> {
  const ids: string[] = [];
  try {
    for (const listId of part.list) ids.push(...(await readListIds(repository, listId)));
    return ids;
  } catch (error) {
    if (error instanceof EngineFailure && error.code === "damaged") return null;
    throw error;
  }
}

/**
 * What cannot be read of these parts, by reading those of which `isSuspect` says so of a chunk. `root` is what the archives of volumes
 * begin with.
 */
export async function nameDamage(
  repository: Repository,
  parts: readonly SnapshotPart[],
  root: string,
  isSuspect: (id: string) => boolean,
): Promise<NamedDamage> {
  const named: NamedDamage = { places: [], count: 0 };
  const add = (part: SnapshotPart, { path, until }: InVolume) => {
    named.count += 1;
    if (named.places.length < MOST_NAMED) named.places.push({ app: part.app, part: part.name, path, until });
  };
  const all: InVolume = { path: null, until: null };
  for (const part of parts) {
    const ids = await idsOf(repository, part);
    if (ids === null) add(part, all);
    else if (!ids.some(isSuspect)) continue;
    else if (part.kind === "volume")
      for await (const place of namesIn(
        ahead(ids, (id) => tryGet(repository, id)),
        root,
        part.size,
      ))
        add(part, place);
    else {
      let isWhole = true;
      for (const id of ids) isWhole = isWhole && (await tryGet(repository, id)) !== null;
      if (!isWhole) add(part, all);
    }
  }
  return named;
}

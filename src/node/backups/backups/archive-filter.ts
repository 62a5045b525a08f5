import {
  createTarReader,
  describeHollow,
  EngineFailure,
  renameHeaders,
  type TarEntry,
  tarEnd,
} from "../engine/index.ts";

/** Docker's archives of volumes have their names below it. */
export const ARCHIVE_ROOT = "data";
const BLOCK = 512;
const SQLITE = Buffer.from("SQLite format 3\0");
/** What belongs to a database and is of no use without it. */
const COMPANIONS = ["-wal", "-journal", "-shm"];
const MOST_EXTENSION_BYTES = 1024 * 1024;

/** An archive that ended in the middle, as files became shorter while Docker read them, or that is none. */
export class BrokenArchive extends Error {}

/** A file as it was at one moment. */
export interface StillFile {
  /** In the volume. */
  path: string;
  /** With owners, mode and times. */
  headers: Uint8Array;
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** What some bytes of an archive say. Throws BrokenArchive. */
function readEntries(reader: ReturnType<typeof createTarReader>, bytes: Uint8Array): TarEntry[] {
  try {
    return reader.push(bytes);
  } catch (error) {
    throw new BrokenArchive("Its headers are damaged.", { cause: error });
  }
}

/** Bytes as they are asked for; throws BrokenArchive where they end too soon. */
function openBytes(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);

  async function more(): Promise<boolean> {
    const next = await pieces.next().catch((error: unknown) => {
      throw new BrokenArchive("Its connection ended.", { cause: error });
    });
    if (next.done === true) return false;
    held = next.value;
    return true;
  }

  async function* pass(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (held.length === 0 && !(await more())) throw new BrokenArchive("It ended too soon.");
      const taken = held.subarray(0, left);
      held = held.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }

  return {
    pass,
    async take(length: number): Promise<Uint8Array> {
      if (held.length >= length) {
        const taken = held.subarray(0, length);
        held = held.subarray(length);
        return taken;
      }
      const taken: Uint8Array[] = [];
      for await (const piece of pass(length)) taken.push(piece);
      return Buffer.concat(taken);
    },
    async skip(length: number): Promise<void> {
      for await (const _ of pass(length));
    },
    async *rest(): AsyncGenerator<Uint8Array> {
      do {
        if (held.length > 0) yield held;
        held = new Uint8Array(0);
      } while (await more());
    },
  };
}

type Bytes = ReturnType<typeof openBytes>;

/** The headers of one entry and what they say; null at the archive's end. */
async function readHeaders(bytes: Bytes, top: string): Promise<{ headers: Uint8Array; entry: TarEntry } | null> {
  const blocks: Uint8Array[] = [];
  for (;;) {
    const block = await bytes.take(BLOCK);
    if (blocks.length === 0 && block.every((byte) => byte === 0)) return null;
    blocks.push(block);
    if (!"xgLK".includes(String.fromCharCode(block[156] ?? 0))) break;
    const size = Number.parseInt(Buffer.from(block.subarray(124, 136)).toString("latin1"), 8);
    if (!(size >= 0 && size <= MOST_EXTENSION_BYTES)) throw new BrokenArchive("A long header is too long.");
    blocks.push(await bytes.take(Math.ceil(size / BLOCK) * BLOCK));
  }
  const headers = Buffer.concat(blocks);
  const [entry] = readEntries(createTarReader(top), headers);
  if (entry === undefined) throw new BrokenArchive("A header is none.");
  return { headers, entry };
}

async function* writeStill({ path, headers, size, read }: StillFile): AsyncGenerator<Uint8Array> {
  yield renameHeaders(headers, `${ARCHIVE_ROOT}/${path}`, { size });
  yield* read();
  if (size % BLOCK !== 0) yield new Uint8Array(BLOCK - (size % BLOCK));
}

/**
 * A volume's archive as it comes, with the SQLite databases in it, known by how they begin, in the place of which `still` puts them as
 * they were at one moment, their logs too. Where it answers null they pass as they come. Throws BrokenArchive for an archive that ends
 * before its end, and `tree_hollow` for one whose files say that they have more than `most` bytes.
 */
export async function* withStillDatabases(
  source: AsyncIterable<Uint8Array>,
  still: (path: string) => Promise<readonly StillFile[] | null>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const bytes = openBytes(source);
  let said = 0;
  const replaced = new Set<string>();
  for (;;) {
    const found = await readHeaders(bytes, ARCHIVE_ROOT);
    if (found === null) break;
    const { headers, entry } = found;
    const length = entry.end - entry.data;
    said += entry.size;
    if (said > most) throw new EngineFailure("tree_hollow", describeHollow(entry.path, entry.size));
    if (COMPANIONS.some((ending) => entry.path.endsWith(ending) && replaced.has(entry.path.slice(0, -ending.length)))) {
      await bytes.skip(length);
      continue;
    }
    const head = entry.size < SQLITE.length ? new Uint8Array(0) : await bytes.take(BLOCK);
    const files = SQLITE.equals(head.subarray(0, SQLITE.length)) ? await still(entry.path) : null;
    if (files === null) {
      yield headers;
      yield head;
      yield* bytes.pass(length - head.length);
      continue;
    }
    for (const file of files) yield* writeStill(file);
    replaced.add(entry.path);
    await bytes.skip(length - head.length);
  }
  yield tarEnd();
  for await (const _ of bytes.rest());
}

/** The one file of an archive: its headers, and its content as it comes. Throws BrokenArchive. */
export async function readOnlyFile(
  source: AsyncIterable<Uint8Array>,
  name: string,
): Promise<{ headers: Uint8Array; size: number; content: AsyncIterable<Uint8Array> } | null> {
  const bytes = openBytes(source);
  const blocks: Uint8Array[] = [];
  const reader = createTarReader(name);
  for (;;) {
    const block = await bytes.take(BLOCK);
    blocks.push(block);
    const [entry] = readEntries(reader, block);
    if (entry === undefined) continue;
    if (entry.kind !== "file") return null;
    async function* content(size: number): AsyncGenerator<Uint8Array> {
      yield* bytes.pass(size);
      for await (const _ of bytes.rest());
    }
    return { headers: Buffer.concat(blocks), size: entry.size, content: content(entry.size) };
  }
}

/** An entry of an archive on its way. */
export interface PassingEntry {
  /** Below the archive's top. */
  path: string;
  isDatabase: boolean;
  headers: Uint8Array;
  size: number;
  /** What is not read of it is skipped. */
  content: AsyncIterable<Uint8Array>;
}

/** What stands in an archive whose names begin with `top`, one after the other. Throws BrokenArchive. */
export async function* walkArchive(source: AsyncIterable<Uint8Array>, top: string): AsyncGenerator<PassingEntry> {
  const bytes = openBytes(source);
  for (let found = await readHeaders(bytes, top); found !== null; found = await readHeaders(bytes, top)) {
    const { headers, entry } = found;
    const length = entry.end - entry.data;
    const head = await bytes.take(Math.min(BLOCK, length));
    let left = length - head.length;
    async function* content(): AsyncGenerator<Uint8Array> {
      yield head.subarray(0, entry.size);
      for await (const piece of bytes.pass(left)) {
        // Padding follows what it holds.
        const held = Math.max(0, left - (length - entry.size));
        left -= piece.length;
        yield piece.subarray(0, held);
      }
    }
    const isDatabase = SQLITE.equals(head.subarray(0, SQLITE.length));
    yield { path: entry.path, isDatabase, headers, size: entry.size, content: content() };
    await bytes.skip(left);
  }
}

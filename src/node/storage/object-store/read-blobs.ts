import type { Database } from "bun:sqlite";
import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { withRelease } from "../../../lib/release.ts";
import { readIds } from "./apply-operation.ts";
import { findBlob } from "./catalogue-store.ts";
import type { HeldFiles } from "./held-files.ts";
import type { Layout } from "./layout.ts";
import type { Places, Range, StoredBlob } from "./places-of.ts";
import { aboutBlob } from "./records.ts";
import type { OpenSegment, SegmentFiles } from "./segment-files.ts";
import { framesAt, type Opener, sealedSize, startOfFrame, VAULT_HEAD_BYTES, type Vault } from "./vault.ts";

/** The bytes of a store are damaged or gone. */
export class DamagedBytes extends Error {}

const CHUNK_BYTES = 512 * 1024;
/** Few bytes are read at once, as the catalogue's own pages are: to hand them to another thread costs several times the reading. */
const AT_ONCE_BYTES = 16 * 1024;

/** Where blobs are read from. */
export interface Source {
  db: Database;
  layout: Layout;
  segments: SegmentFiles;
  vault: Vault;
}

/** A blob whose file is open. */
interface OpenBlob extends OpenSegment {
  blob: StoredBlob;
  vault: Vault;
}

async function openOwnFile(path: string): Promise<OpenSegment> {
  const file = await open(path, "r");
  return { file, release: () => void file.close().catch(() => {}) };
}

/** Opens the file that a blob lies in. */
async function openFile({ layout, segments, vault }: Omit<Source, "db">, blob: StoredBlob): Promise<OpenBlob> {
  const opened = await (blob.segment === null ? openOwnFile(layout.blob(blob)) : segments.take(blob.segment));
  return { ...opened, blob, vault };
}

/** Opens one whose place is known; where it was moved since, it is looked up anew. Throws DamagedBytes. */
const openKnown = (source: Source, blob: StoredBlob): Promise<OpenBlob> =>
  openFile(source, blob).catch(() => openBlob(source, blob.id));

const cannotOpen = (id: string, error: unknown) => new DamagedBytes(`${id} cannot be opened: ${String(error)}`);

/** Opens where a blob is now: one that was moved meanwhile is looked up anew. */
async function openBlob(source: Source, id: string): Promise<OpenBlob> {
  for (let tries = 0; ; tries += 1) {
    const blob = findBlob(source.db, id);
    if (blob === null) throw new DamagedBytes(`${id} is not in the catalogue`);
    try {
      return await openFile(source, blob);
    } catch (error) {
      if (tries === 2) throw cannotOpen(id, error);
    }
  }
}

/**
 * The bytes of an object as its row names them. Whole small blobs are checked against their sum. One file is open at a time, as an object may
 * have thousands; all of them are held until the end, so that what is removed meanwhile is still read. Throws DamagedBytes where not even the
 * first can be opened.
 */
export async function openBytes(
  { held, ...source }: Source & { held: HeldFiles },
  blobs: string,
  range: Range,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { places, first: at, release } = await held.take(source.db, blobs, range);
  let first: OpenBlob | null = null;
  try {
    if (at.index < places.count) first = await openKnown(source, places.blob(at.index));
  } catch (error) {
    release();
    throw error;
  }
  function end(): void {
    first?.release();
    release();
  }
  async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* read(source, places, first, { ...at, left: range.length });
    } finally {
      end();
    }
  }
  return withRelease(bytes(), end);
}

/** All bytes of an object that is small and lies in one segment, in one go; null for any other. Throws DamagedBytes. */
export async function readSmall(source: Source, blobs: string, size: number): Promise<Uint8Array | null> {
  if (size > AT_ONCE_BYTES || size === 0) return null;
  const [id, ...more] = readIds(blobs);
  if (id === undefined || more.length > 0) return null;
  const { file, blob, release } = await openBlob(source, id);
  try {
    const length = blob.sealed === 1 ? sealedSize(blob.size) : blob.size;
    const written = Buffer.allocUnsafe(length);
    if (readSync(file.fd, written, 0, length, blob.position) < length) throw new DamagedBytes(`${id} is cut short`);
    const bytes = blob.sealed === 1 ? source.vault.open(aboutBlob(id), written) : written;
    if (bytes === null || Bun.hash.crc32(bytes) !== blob.crc) throw new DamagedBytes(`${id} is not what was stored`);
    return bytes;
  } finally {
    release();
  }
}

/** All bytes of one blob; compared with its sums, unless `isChecked` is false. */
export async function* readBlob(
  source: Source,
  id: string,
  isChecked = true,
): AsyncGenerator<Uint8Array, void, undefined> {
  const opened = await openBlob(source, id);
  try {
    yield* readPart(opened, 0, opened.blob.size, isChecked);
  } finally {
    opened.release();
  }
}

/** The next `left` bytes from a place on, whose file is open; the others are opened one after the other. */
async function* read(
  source: Source,
  places: Places,
  first: OpenBlob | null,
  at: { index: number; skip: number; left: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  let { index, skip, left } = at;
  for (let opened = first; opened !== null && left > 0; skip = 0) {
    try {
      const take = Math.min(opened.blob.size - skip, left);
      yield* readPart(opened, skip, take);
      left -= take;
    } finally {
      opened.release();
    }
    index += 1;
    opened = left > 0 && index < places.count ? await openKnown(source, places.blob(index)) : null;
  }
  if (left > 0) throw new DamagedBytes("an object has fewer bytes than it should");
}

/** Bytes of a blob as they are written, fewer where it is cut short. */
async function readRaw({ file, blob }: OpenBlob, at: number, length: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(length);
  if (length <= AT_ONCE_BYTES) return chunk.subarray(0, readSync(file.fd, chunk, 0, length, blob.position + at));
  const { bytesRead } = await file.read(chunk, 0, length, blob.position + at);
  return chunk.subarray(0, bytesRead);
}

async function openerOf(opened: OpenBlob): Promise<Opener> {
  const { blob, vault } = opened;
  const opener = vault.opener(aboutBlob(blob.id), blob.size, await readRaw(opened, 0, VAULT_HEAD_BYTES));
  if (opener === null) throw new DamagedBytes(`${blob.id} does not begin as what was stored, or has another key`);
  return opener;
}

/** Some bytes of an encrypted blob, out of the frames that they lie in. */
async function readSealed(
  opened: OpenBlob,
  opener: Opener,
  start: number,
  length: number,
  isChecked: boolean,
): Promise<Uint8Array> {
  const { blob } = opened;
  const frames = framesAt(blob.size, start, length);
  const bytes = opener.open(frames, await readRaw(opened, frames.offset, frames.bytes), !isChecked);
  if (bytes === null) throw new DamagedBytes(`${blob.id} is not what was stored`);
  const skipped = start - startOfFrame(frames.first);
  return bytes.subarray(skipped, skipped + length);
}

async function* readPart(
  opened: OpenBlob,
  start: number,
  length: number,
  isChecked = true,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { blob } = opened;
  const isWhole = isChecked && start === 0 && length === blob.size;
  const opener = blob.sealed === 1 ? await openerOf(opened) : null;
  const readAt = (done: number): Promise<Uint8Array> => {
    const wanted = Math.min(CHUNK_BYTES, length - done);
    const piece: Promise<Uint8Array> =
      opener === null
        ? readRaw(opened, start + done, wanted)
        : readSealed(opened, opener, start + done, wanted, isChecked);
    // What fails while the piece before is sent is thrown when its turn comes.
    piece.catch(() => {});
    return piece;
  };
  let crc = 0;
  let reading: Promise<Uint8Array> | null = length === 0 ? null : readAt(0);
  try {
    for (let done = 0; reading !== null; ) {
      const bytes = await reading;
      reading = null;
      if (bytes.length === 0) throw new DamagedBytes(`${blob.id} is cut short`);
      done += bytes.length;
      // The next piece is on its way while this one is sent.
      if (done < length) reading = readAt(done);
      if (isWhole) crc = Bun.hash.crc32(bytes, crc);
      if (isWhole && done === length && crc !== blob.crc) throw new DamagedBytes(`${blob.id} is not what was stored`);
      yield bytes;
    }
  } finally {
    // Nobody closes the file under a read.
    await reading?.catch(() => {});
  }
}

import type { Database } from "bun:sqlite";
import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { withRelease } from "../../../lib/release.ts";
import { readIds } from "./apply-operation.ts";
import { type BlobRow, findBlob } from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";
import { aboutBlob } from "./records.ts";
import type { OpenSegment, SegmentFiles } from "./segment-files.ts";
import { framesAt, type Opener, sealedSize, startOfFrame, VAULT_HEAD_BYTES, type Vault } from "./vault.ts";

/** Bytes from `start` on, `length` of them. */
export interface Range {
  start: number;
  length: number;
}

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
  blob: BlobRow;
  vault: Vault;
}

async function openOwnFile(path: string): Promise<OpenSegment> {
  const file = await open(path, "r");
  return { file, release: () => void file.close().catch(() => {}) };
}

/** Opens where a blob is now: one that was moved meanwhile is looked up anew. */
async function openBlob({ db, layout, segments, vault }: Source, id: string): Promise<OpenBlob> {
  for (let tries = 0; ; tries += 1) {
    const blob = findBlob(db, id);
    if (blob === null) throw new DamagedBytes(`${id} is not in the catalogue`);
    try {
      const opened = await (blob.segment === null ? openOwnFile(layout.blob(blob)) : segments.take(blob.segment));
      return { ...opened, blob, vault };
    } catch (error) {
      if (tries === 2) throw new DamagedBytes(`${id} cannot be opened: ${String(error)}`);
    }
  }
}

/**
 * The bytes of an object as its row names them. Whole small blobs are checked against their sum; every file that is needed is open before
 * the first byte leaves, so that what is removed meanwhile is still read to its end.
 */
export async function openBytes(
  source: Source,
  blobs: string,
  range: Range,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const opened: OpenBlob[] = [];
  const ids = readIds(blobs);
  try {
    for (const id of neededOf(source.db, ids, range)) opened.push(await openBlob(source, id));
  } catch (error) {
    closeAll(opened);
    throw error;
  }
  const skipped = skippedBefore(source.db, ids, range);
  return withRelease(read(opened, { start: range.start - skipped, length: range.length }), () => closeAll(opened));
}

function closeAll(opened: readonly OpenBlob[]): void {
  for (const { release } of opened) release();
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

/** Sizes of the blobs of an object, in their order. */
export const listSizes = (db: Database, blobs: string): number[] =>
  readIds(blobs).map((id) => findBlob(db, id)?.size ?? 0);

/** Ids of the blobs that a range touches. */
function neededOf(db: Database, ids: readonly string[], { start, length }: Range): string[] {
  if (ids.length === 1) return [...ids];
  const needed: string[] = [];
  let at = 0;
  for (const id of ids) {
    const size = findBlob(db, id)?.size ?? 0;
    if (at + size > start && at < start + length) needed.push(id);
    at += size;
  }
  return needed;
}

/** How many bytes lie in blobs that end before a range. */
function skippedBefore(db: Database, ids: readonly string[], { start }: Range): number {
  if (ids.length <= 1) return 0;
  let at = 0;
  for (const id of ids) {
    const size = findBlob(db, id)?.size ?? 0;
    if (at + size > start) return at;
    at += size;
  }
  return at;
}

async function* read(opened: readonly OpenBlob[], range: Range): AsyncGenerator<Uint8Array, void, undefined> {
  let { start, length: left } = range;
  try {
    for (const one of opened) {
      const take = Math.min(one.blob.size - start, left);
      yield* readPart(one, start, take);
      left -= take;
      start = 0;
    }
    if (left > 0) throw new DamagedBytes("an object has fewer bytes than it should");
  } finally {
    closeAll(opened);
  }
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

import type { Database } from "bun:sqlite";
import { type FileHandle, open } from "node:fs/promises";
import { readIds } from "./apply-operation.ts";
import { type BlobRow, findBlob } from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";

/** Bytes from `start` on, `length` of them. */
export interface Range {
  start: number;
  length: number;
}

/** The bytes of a store are damaged or gone. */
export class DamagedBytes extends Error {}

const CHUNK_BYTES = 256 * 1024;

/** Opens where a blob is now: one that was moved meanwhile is looked up anew. */
async function openBlob(db: Database, layout: Layout, id: string): Promise<{ file: FileHandle; blob: BlobRow }> {
  for (let tries = 0; ; tries += 1) {
    const blob = findBlob(db, id);
    if (blob === null) throw new DamagedBytes(`${id} is not in the catalogue`);
    try {
      const path = blob.segment === null ? layout.blob(id) : layout.segment(blob.segment);
      return { file: await open(path, "r"), blob };
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
  db: Database,
  layout: Layout,
  blobs: string,
  range: Range,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const opened: { file: FileHandle; blob: BlobRow }[] = [];
  try {
    for (const id of neededOf(db, readIds(blobs), range)) opened.push(await openBlob(db, layout, id));
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
  const skipped = skippedBefore(db, readIds(blobs), range);
  return read(opened, { start: range.start - skipped, length: range.length });
}

const closeAll = (opened: readonly { file: FileHandle }[]) => Promise.all(opened.map(({ file }) => file.close()));

/** All bytes of one blob; compared with its sum at the end, unless `isChecked` is false. */
export async function* readBlob(
  db: Database,
  layout: Layout,
  id: string,
  isChecked = true,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { file, blob } = await openBlob(db, layout, id);
  try {
    yield* readPart(file, blob, 0, blob.size, isChecked);
  } finally {
    await file.close();
  }
}

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

async function* read(
  opened: readonly { file: FileHandle; blob: BlobRow }[],
  range: Range,
): AsyncGenerator<Uint8Array, void, undefined> {
  let { start, length: left } = range;
  try {
    for (const { file, blob } of opened) {
      const take = Math.min(blob.size - start, left);
      yield* readPart(file, blob, start, take);
      left -= take;
      start = 0;
    }
    if (left > 0) throw new DamagedBytes("an object has fewer bytes than it should");
  } finally {
    await closeAll(opened);
  }
}

async function* readPart(
  file: FileHandle,
  blob: BlobRow,
  start: number,
  length: number,
  isChecked = true,
): AsyncGenerator<Uint8Array, void, undefined> {
  const isWhole = isChecked && start === 0 && length === blob.size;
  let crc = 0;
  for (let done = 0; done < length; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, blob.position + start + done);
    if (bytesRead === 0) throw new DamagedBytes(`${blob.id} is cut short`);
    const bytes = chunk.subarray(0, bytesRead);
    done += bytesRead;
    if (isWhole) crc = Bun.hash.crc32(bytes, crc);
    if (isWhole && done === length && crc !== blob.crc) throw new DamagedBytes(`${blob.id} is not what was stored`);
    yield bytes;
  }
}

import type { Take } from "../../../kernel/http/body-budget.ts";
import { atMost } from "../../../kernel/http/bounded-body.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { describe, dueOf, findChunk, finishUpload, getUpload, requireOpen } from "./chunked-upload.ts";
import { CHUNK_BYTES, type DriveUploadState, fail } from "./contract.ts";
import type { Own } from "./logic.ts";
import type { By } from "./needs.ts";
import * as store from "./upload-store.ts";

/** Sums that may come along with bytes, as the protocol calls them. */
export const SUMS = ["sha1", "sha256", "md5"] as const;

/** What the bytes of a request are said to sum up to. */
export interface SaidSum {
  algorithm: (typeof SUMS)[number];
  /** In Base64. */
  value: string;
}

/** How many bytes of an upload are there from its first on. */
export function offsetOf({ size_bytes, received, received_bytes }: DriveUploadState): number {
  if (received.length === 0) return received_bytes === size_bytes ? size_bytes : 0;
  let offset = 0;
  for (const [index, { number, size_bytes: size }] of received.entries()) {
    if (number !== index + 1) break;
    offset += size;
    if (size < dueOf(size_bytes, number)) break;
  }
  return offset;
}

/** Makes the file of an upload of which all is there. Whoever does not know whether it ended asks again, and then it is. */
export async function settle(own: Own, by: By, state: DriveUploadState): Promise<void> {
  if (offsetOf(state) < state.size_bytes) return;
  const { replaces } = getUpload(own, { userId: by.user_id, shareId: null }, state.upload_id);
  await finishUpload(own, by, state.upload_id, replaces === 1);
}

/** What was in a chunk that is not whole. */
async function readTail(own: Own, id: string, number: number): Promise<Uint8Array[]> {
  const part = findChunk(own, id, number);
  if (part === null) return [];
  return await Array.fromAsync(await own.objectStore.open({ blobs: part.blobs }, { start: 0, length: part.size }));
}

/**
 * Stores a chunk, or the beginning of one, in the place of what was there of it. Throws `drive_upload_not_found`, `drive_upload_busy` for an
 * upload that is being made a file.
 */
async function storePart(
  own: Own,
  sender: store.Sender,
  { id, size_bytes }: store.UploadRow,
  number: number,
  bytes: readonly Uint8Array[],
) {
  const { db, objectStore, clock, sums } = own;
  const incoming = await objectStore.receive();
  try {
    const sum = new Bun.CryptoHasher("sha256");
    const running = sums.before(id, number);
    let size = 0;
    for (const piece of bytes) {
      size += piece.length;
      sum.update(piece);
      running?.hasher.update(piece);
      await incoming.add(piece);
    }
    const sha256 = sum.digest("hex");
    const blob = await incoming.finish();
    const at = clock.now();
    requireOpen(own, getUpload(own, sender, id));
    const outcome = await objectStore.change({ kind: "putPart", uploadId: id, number, etag: sha256, at, blob });
    if (outcome.refused !== null || !db.tx(() => store.touchUpload(db, id, at))) throw fail("drive_upload_not_found");
    const isWhole = size === dueOf(size_bytes, number);
    if (running !== null && isWhole) sums.save(id, { ...running, taken: [...running.taken, sha256] });
  } catch (error) {
    await incoming.drop();
    throw error;
  }
}

/** What one request may bring: it is in memory until all of it is here. */
const REQUEST_LIMIT_BYTES = 8 * 1024 * 1024;

/** The bytes of a request, as many as came before it broke off. */
async function readBody(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
  take: Take,
): Promise<{ body: Uint8Array; isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  try {
    for await (const piece of atMost(bytes, REQUEST_LIMIT_BYTES)) {
      length += piece.length;
      if (length > most) throw fail("drive_upload_too_long");
      take(piece.length);
      pieces.push(piece);
    }
    isWhole = true;
  } catch (error) {
    // What came before the way broke is kept.
    if (error instanceof AppError) throw error;
  }
  return { body: Buffer.concat(pieces), isWhole };
}

/**
 * Adds bytes to an upload from `offset` on, which must be where it ends; they are on disk when this resolves, also those of a request that
 * broke off. With the last of them it becomes the file. Throws `drive_upload_not_found`, `drive_upload_offset`, `drive_upload_busy`,
 * `drive_upload_sum`, `drive_upload_too_long`, and what `check`, which is asked once all bytes are here, and making the file throw.
 */
export async function appendTo(
  own: Own,
  by: By,
  id: string,
  { offset, said }: { offset: number; said: SaidSum | null },
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: Take,
  check: () => Promise<void>,
): Promise<DriveUploadState> {
  const sender = { userId: by.user_id, shareId: null };
  const row = getUpload(own, sender, id);
  const before = describe(own, row);
  const at = offsetOf(before);
  if (at !== offset) throw fail("drive_upload_offset", { offset: at });
  if (own.appending.has(id) || own.finishing.has(id)) throw fail("drive_upload_busy");
  own.appending.add(id);
  try {
    const { body, isWhole } = await readBody(bytes, row.size_bytes - at, take);
    await check();
    if (said !== null) {
      const sum = new Bun.CryptoHasher(said.algorithm).update(body).digest("base64");
      if (!isWhole || sum !== said.value) throw fail("drive_upload_sum");
    }
    for (let done = 0; done < body.length; ) {
      const number = Math.floor((at + done) / CHUNK_BYTES) + 1;
      const there = (at + done) % CHUNK_BYTES;
      const piece = body.subarray(done, done + dueOf(row.size_bytes, number) - there);
      await storePart(own, sender, row, number, [...(there > 0 ? await readTail(own, id, number) : []), piece]);
      done += piece.length;
    }
  } finally {
    own.appending.delete(id);
  }
  await settle(own, by, describe(own, row));
  return describe(own, getUpload(own, sender, id));
}

import type { Take } from "../../../kernel/http/body-budget.ts";
import { atMost } from "../../../kernel/http/bounded-body.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { ByteBuffer } from "../../../lib/byte-buffer.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import {
  describe,
  dueOf,
  expiryOf,
  findChunk,
  finishUpload,
  getUpload,
  ownerOf,
  requireOpen,
} from "./chunked-upload.ts";
import { CHUNK_BYTES, type DriveUploadState, fail } from "./contract.ts";
import { joinFrom } from "./join-pieces.ts";
import type { Own } from "./logic.ts";
import type { By } from "./needs.ts";
import type { TailSum } from "./running-sums.ts";
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

/** An upload as tus speaks of it. */
export interface TusState {
  size_bytes: number;
  offset: number;
  /** When it is given up, if nothing comes. */
  expires_at: number;
}

/** Where an upload ends, without a look at all its chunks where the last one is known: many come a few bytes at a time. */
function findOffset(own: Own, row: store.UploadRow): number {
  const tail = own.sums.tail(row.id);
  const part = tail && findChunk(own, row.id, tail.number);
  if (part === null || part.etag !== tail?.sha256) return offsetOf(describe(own, row));
  return (part.number - 1) * CHUNK_BYTES + part.size;
}

/**
 * How far an upload has come; that of which all is there is made a file. Whoever does not know whether it ended asks again, and then it is.
 * Throws `drive_upload_not_found`, and what making the file throws.
 */
export async function settle(own: Own, by: By, id: string): Promise<TusState> {
  const sender = ownerOf(by.user_id);
  const row = getUpload(own, sender, id);
  const offset = findOffset(own, row);
  if (offset === row.size_bytes) await finishUpload(own, by, id, row.replaces === 1);
  return { size_bytes: row.size_bytes, offset, expires_at: expiryOf(getUpload(own, sender, id)) };
}

/** So much is summed and written before others have their turn. */
const STEP_BYTES = 512 * 1024;

async function* inSteps(own: Own, userId: string, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    yield bytes.subarray(at, at + STEP_BYTES);
    await giveWay(own.takeTurn, [userId, ""]);
  }
}

/** What is there of a chunk, from a piece of it on. */
type Earlier = (from: number) => AsyncIterable<Uint8Array>;

/** The sizes of the pieces that are there of a chunk, and the way to read them, with others going between. */
async function openEarlier(
  { objectStore, takeTurn }: Own,
  userId: string,
  part: ReturnType<typeof findChunk>,
): Promise<{ sizes: number[]; read: Earlier }> {
  const { blobs, size } = part ?? { blobs: "[]", size: 0 };
  const sizes = await objectStore.sizesOf({ blobs });
  async function* read(from: number): AsyncGenerator<Uint8Array> {
    const start = sizes.slice(0, from).reduce((sum, one) => sum + one, 0);
    if (start === size) return;
    for await (const piece of await objectStore.open({ blobs }, { start, length: size - start })) {
      yield piece;
      await giveWay(takeTurn, [userId, ""]);
    }
  }
  return { sizes, read };
}

/** Sums of what is there of a chunk. After a restart it is read for them, once. */
async function sumTail(
  { sums }: Own,
  id: string,
  number: number,
  etag: string | null,
  read: Earlier,
): Promise<Omit<TailSum, "sha256">> {
  const known = sums.tail(id);
  if (etag !== null && known?.number === number && known.sha256 === etag) return known;
  const tail = { number, hasher: new Bun.CryptoHasher("sha256"), whole: sums.before(id, number) };
  for await (const piece of read(0)) {
    tail.hasher.update(piece);
    tail.whole?.hasher.update(piece);
  }
  return tail;
}

/**
 * Adds bytes to the end of a chunk: they become a piece of their own, and pieces are joined where there are too many, or the chunk is whole.
 * Throws `drive_upload_not_found`, and `drive_upload_busy` for an upload that is being made a file, or a chunk that was sent another way.
 */
async function storePart(
  own: Own,
  sender: store.Sender,
  { id, size_bytes }: store.UploadRow,
  number: number,
  bytes: Uint8Array,
): Promise<void> {
  const { db, objectStore, clock, sums } = own;
  const part = findChunk(own, id, number);
  const { sizes, read } = await openEarlier(own, sender.userId, part);
  const etag = part?.etag ?? null;
  const { hasher, whole } = await sumTail(own, id, number, etag, read);
  const isWhole = (part?.size ?? 0) + bytes.length === dueOf(size_bytes, number);
  const kept = isWhole ? 0 : joinFrom(sizes, bytes.length);
  const incoming = await objectStore.receive();
  try {
    for await (const piece of read(kept)) await incoming.add(piece);
    for await (const piece of inSteps(own, sender.userId, bytes)) {
      hasher.update(piece);
      whole?.hasher.update(piece);
      await incoming.add(piece);
    }
    const sha256 = hasher.copy().digest("hex");
    const blob = await incoming.finish();
    const at = clock.now();
    requireOpen(own, getUpload(own, sender, id));
    const added = { uploadId: id, number, etag: sha256, at, blob, behind: { etag, kept } };
    const { refused } = await objectStore.change({ kind: "putPart", ...added }, sender.userId);
    if (refused === "invalid_part") throw fail("drive_upload_busy");
    if (refused !== null || !db.tx(() => store.touchUpload(db, id, at))) throw fail("drive_upload_not_found");
    sums.saveTail(id, isWhole ? null : { number, sha256, hasher, whole });
    if (whole !== null && isWhole) sums.save(id, { ...whole, taken: [...whole.taken, sha256] });
  } catch (error) {
    await incoming.drop();
    throw error;
  }
}

/** What one request may bring: it is in memory until all of it is here. */
const REQUEST_LIMIT_BYTES = 8 * 1024 * 1024;
/** What is in memory while a chunk is joined: what is read ahead, and what is being written. */
export const JOIN_BYTES = 2 * 1024 * 1024;

/** The bytes of a request, as many as came before it broke off. */
async function readBody(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
  take: Take,
): Promise<{ body: Uint8Array; isWhole: boolean }> {
  // A byte at a time, pieces would hold a hundred times what they bring.
  const body = new ByteBuffer();
  let isWhole = false;
  try {
    for await (const piece of atMost(bytes, REQUEST_LIMIT_BYTES)) {
      if (body.length + piece.length > most) throw fail("drive_upload_too_long");
      take(piece.length);
      body.append(piece);
    }
    isWhole = true;
  } catch (error) {
    // What came before the way broke is kept.
    if (error instanceof AppError) throw error;
  }
  return { body: body.view(), isWhole };
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
): Promise<TusState> {
  const sender = ownerOf(by.user_id);
  const row = getUpload(own, sender, id);
  const at = findOffset(own, row);
  if (at !== offset) throw fail("drive_upload_offset", { offset: at });
  if (own.appending.has(id) || own.finishing.has(id)) throw fail("drive_upload_busy");
  own.appending.add(id);
  try {
    const { body, isWhole } = await readBody(bytes, row.size_bytes - at, take);
    await own.adding(by.user_id, async () => {
      if (at % CHUNK_BYTES > 0) take(JOIN_BYTES);
      await check();
      if (said !== null) {
        const sum = new Bun.CryptoHasher(said.algorithm);
        for await (const piece of inSteps(own, by.user_id, body)) sum.update(piece);
        if (!isWhole || sum.digest("base64") !== said.value) throw fail("drive_upload_sum");
      }
      for (let done = 0; done < body.length; ) {
        const number = Math.floor((at + done) / CHUNK_BYTES) + 1;
        const there = (at + done) % CHUNK_BYTES;
        const piece = body.subarray(done, done + dueOf(row.size_bytes, number) - there);
        await storePart(own, sender, row, number, piece);
        done += piece.length;
      }
    });
  } finally {
    own.appending.delete(id);
  }
  return await settle(own, by, id);
}

import type { DriveNode, ReceivedChunk } from "../drive/contract.ts";
import { type AddedFile, fail, type SharedFileInput, type SharedUpload } from "./contract.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";
import { enter, onRecord, placeFor, type Visitor } from "./visit.ts";

/** Where a file of a stranger goes, and for whose record. Throws what `placeFor` throws. */
function sharerOf(own: Own, visitor: Visitor, folderId: string | undefined) {
  const folder = placeFor(own, visitor, folderId);
  const { row } = enter(own, visitor);
  return { row, folder, by: { user_id: row.user_id, ip: visitor.ip, share_id: row.id } };
}

/** Begins a large file. Throws what `placeFor` and the Drive throw, `too_many_requests`. */
export async function beginShared(own: Own, visitor: Visitor, input: SharedFileInput): Promise<SharedUpload> {
  const { row, by, folder } = sharerOf(own, visitor, input.folder_id);
  const { name, size_bytes } = input;
  const putIn = own.gates.upload(row, visitor.ip);
  const begun = await putIn(() => own.drive.shared.begin(by, { name, folder_id: folder, size_bytes }));
  const { upload_id, chunk_bytes, chunks, expires_at } = begun;
  return { upload_id, chunk_bytes, chunks, expires_at };
}

/** The same bytes; counts them once all are here that are due, before anything is made of them. */
async function* countWhole(bytes: AsyncIterable<Uint8Array>, due: number, count: () => void) {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    yield piece;
  }
  if (size === due) count();
}

/** Takes a chunk of one. Throws what `placeFor` and the Drive throw, `too_many_requests`. */
export async function takeShared(
  own: Own,
  visitor: Visitor,
  id: string,
  chunk: { number: number; sha256?: string | undefined },
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedChunk> {
  const { row, by } = sharerOf(own, visitor, undefined);
  const { size_bytes, chunk_bytes } = own.drive.shared.read(by, id);
  const due = Math.min(chunk_bytes, size_bytes - (chunk.number - 1) * chunk_bytes);
  const count = own.gates.chunk(row, visitor.ip, due / chunk_bytes);
  return await own.drive.shared.take(by, id, chunk, countWhole(bytes, due, count));
}

/**
 * Makes the file, which counts once however often it is asked for. The answer is what was sent, never what its owner has made of it since. Throws what
 * `placeFor` and the Drive throw.
 */
export async function finishShared(own: Own, visitor: Visitor, id: string): Promise<AddedFile> {
  const { db, bus, clock } = own;
  const { by } = sharerOf(own, visitor, undefined);
  const { folder_id, received, received_bytes, name, size_bytes } = own.drive.shared.read(by, id);
  // The folder may have been moved out of what is shared.
  const { row } = sharerOf(own, visitor, folder_id ?? undefined);
  if (folder_id === null) throw fail("share_not_allowed");
  const wasMade = received.length === 0 && received_bytes === size_bytes && size_bytes > 0;
  const made: DriveNode = await own.drive.shared.finish(by, id);
  if (!wasMade)
    db.tx(() => {
      store.countUpload(db, row.id, clock.now());
      bus.emit("drive.share_uploaded", onRecord(visitor, row, made));
    });
  return { name, size_bytes };
}

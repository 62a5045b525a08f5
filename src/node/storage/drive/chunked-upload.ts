import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import { days } from "../../../lib/duration.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import {
  CHUNK_BYTES,
  type DriveNode,
  type DriveUpload,
  type DriveUploadState,
  fail,
  type ReceivedChunk,
  UPLOAD_DAYS,
  type UploadInput,
} from "./contract.ts";
import { type Own, present } from "./logic.ts";
import type { By } from "./needs.ts";
import { findNode } from "./store.ts";
import { addFile, findReplaced } from "./store-file.ts";
import * as store from "./upload-store.ts";

const MAX_UPLOADS = 100;
const encoder = new TextEncoder();

const chunksOf = (size: number): number => Math.ceil(size / CHUNK_BYTES);
/** How much a chunk of a file of that size has; zero or less for one that it does not have. */
export const dueOf = (size: number, number: number): number => Math.min(CHUNK_BYTES, size - (number - 1) * CHUNK_BYTES);

/** An upload of that sender. Throws `drive_upload_not_found`. */
export function getUpload({ db }: Own, sender: store.Sender, id: string): store.UploadRow {
  const upload = store.findUpload(db, sender, id);
  if (upload === null) throw fail("drive_upload_not_found");
  return upload;
}

/** When an upload is given up for which nothing comes. */
export const expiryOf = ({ touched_at }: store.UploadRow): number => touched_at + days(UPLOAD_DAYS);

/** An upload as the contract words it. */
export function describe({ objectStore }: Own, row: store.UploadRow): DriveUploadState {
  const parts = objectStore.listParts(row.id);
  // What is here is the content already once it is being made a file.
  const isWhole = row.sha256 !== null || row.node_id !== null;
  return {
    upload_id: row.id,
    name: row.name,
    folder_id: row.parent_id,
    size_bytes: row.size_bytes,
    chunk_bytes: CHUNK_BYTES,
    chunks: chunksOf(row.size_bytes),
    received_bytes: isWhole ? row.size_bytes : parts.reduce((sum, { size }) => sum + size, 0),
    expires_at: toIso(expiryOf(row)),
    received: parts.map(({ number, size, etag }) => ({ number, size_bytes: size, sha256: etag })),
  };
}

/** Makes room in the object store for the chunks of an upload, unless it is there. */
async function openParts({ contents, objectStore, clock }: Own, row: store.UploadRow): Promise<void> {
  if (row.sha256 !== null || objectStore.findUpload(row.id) !== null) return;
  const bucketId = await contents.bucketId();
  const { id } = row;
  await objectStore.change({
    kind: "beginUpload",
    id,
    bucketId,
    key: encoder.encode(id),
    facts: "{}",
    at: clock.now(),
  });
}

/** The owner of a Drive. */
export const ownerOf = (userId: string): store.Sender => ({ userId, shareId: null });

/** Begins an upload, or goes on with what was begun of the same file. Throws what `checkPlace` throws, `disk_full`, `drive_uploads_limit`. */
export async function beginUpload(
  own: Own,
  sender: store.Sender,
  input: UploadInput,
  /** Of a stranger, with what is called within the transaction before the upload is noted. */
  from: { networks: string; makeRoom(): void } | null = null,
): Promise<DriveUploadState> {
  const { userId, shareId: share_id } = sender;
  const { db, ids, clock, host, config } = own;
  const { name, folder_id: parent_id, size_bytes, mark = "", sha256: promised = null, replace = false } = input;
  const space = await host.space(config.data_dir);
  const row = db.tx(() => {
    findReplaced(own, userId, { parentId: parent_id, name, mayReplace: replace });
    const file = { parent_id, name, size_bytes, mark, promised, replaces: Number(replace) };
    const asked = { ...file, user_id: userId, share_id, sha256: null, node_id: null };
    const found = store.findAlike(db, asked);
    if (found !== null && (promised === null || promised === found.promised)) return found;
    if (space !== null && space.free < size_bytes) throw kernelFail("disk_full");
    if (store.listUploads(db, sender).length >= MAX_UPLOADS) throw fail("drive_uploads_limit", { limit: MAX_UPLOADS });
    from?.makeRoom();
    const made = { ...asked, networks: from?.networks ?? null, id: ids.next("upl"), touched_at: clock.now() };
    // Before the store knows of it: what the store has without a row is swept.
    store.insertUpload(db, made);
    return made;
  });
  await openParts(own, row);
  return describe(own, row);
}

/** What the user has begun and not finished. */
export const listUploads = (own: Own, userId: string): DriveUpload[] =>
  store.listUploads(own.db, ownerOf(userId)).map((row) => {
    const { received: _, ...upload } = describe(own, row);
    return upload;
  });

/** An upload and what is there of it. Throws `drive_upload_not_found`. */
export const readUpload = (own: Own, sender: store.Sender, id: string): DriveUploadState =>
  describe(own, getUpload(own, sender, id));

/** What is here of a chunk; null for nothing. */
export const findChunk = ({ objectStore }: Own, id: string, number: number) =>
  objectStore.listParts(id, { after: number - 1, limit: 1 }).find((part) => part.number === number) ?? null;

/** Throws `drive_upload_busy` for one that is being made a file: what came now would not be what was summed up. */
export function requireOpen({ finishing }: Own, { id, sha256, node_id }: store.UploadRow): void {
  if (finishing.has(id) || sha256 !== null || node_id !== null) throw fail("drive_upload_busy");
}

/**
 * Takes a chunk; it is on disk when this resolves. Throws `drive_upload_not_found`, `drive_upload_busy`, `drive_chunk_invalid`,
 * `drive_checksum_mismatch`.
 */
export async function takeChunk(
  own: Own,
  sender: store.Sender,
  id: string,
  { number, sha256: promised }: { number: number; sha256?: string | undefined },
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedChunk> {
  const { db, objectStore, clock, sums } = own;
  const row = getUpload(own, sender, id);
  requireOpen(own, row);
  const chunks = chunksOf(row.size_bytes);
  const due = dueOf(row.size_bytes, number);
  const invalid = () => fail("drive_chunk_invalid", { chunks, size_bytes: Math.max(0, due) });
  if (due <= 0) throw invalid();
  const incoming = await objectStore.receive();
  try {
    const sum = new Bun.CryptoHasher("sha256");
    const running = sums.before(id, number);
    let size = 0;
    for await (const piece of bytes) {
      size += piece.length;
      if (size > due) throw invalid();
      sum.update(piece);
      running?.hasher.update(piece);
      await incoming.add(piece);
    }
    if (size !== due) throw invalid();
    const sha256 = sum.digest("hex");
    if (promised !== undefined && promised !== sha256) throw fail("drive_checksum_mismatch", { sha256 });
    const blob = await incoming.finish();
    const at = clock.now();
    requireOpen(own, getUpload(own, sender, id));
    // What was here already brings the upload no further, so it keeps it no longer.
    const isNew = findChunk(own, id, number)?.size !== due;
    const outcome = await objectStore.change({ kind: "putPart", uploadId: id, number, etag: sha256, at, blob });
    if (outcome.refused !== null || !db.tx(() => store.touchUpload(db, id, isNew ? at : null)))
      throw fail("drive_upload_not_found");
    if (running !== null) sums.save(id, { ...running, taken: [...running.taken, sha256] });
    return { number, size_bytes: size, sha256 };
  } catch (error) {
    await incoming.drop();
    throw error;
  }
}

/** The chunks of an upload in their order. Throws `drive_upload_incomplete`. */
function getParts({ objectStore }: Own, row: store.UploadRow) {
  const parts = objectStore.listParts(row.id);
  const chunks = chunksOf(row.size_bytes);
  // What came by tus may end within a chunk.
  const whole = parts.filter(({ number, size }) => size === dueOf(row.size_bytes, number));
  const there = new Set(whole.map(({ number }) => number));
  if (there.size === chunks) return parts;
  let first = 1;
  while (there.has(first)) first += 1;
  throw fail("drive_upload_incomplete", { missing: chunks - there.size, first });
}

/**
 * The SHA-256 of all chunks. Only what did not come in order is read, and once: few bytes of a request ask for gigabytes, so of one account
 * one file is read at a time, with others going between its pieces.
 */
async function sumUp(own: Own, { id, user_id }: store.UploadRow, parts: ReturnType<typeof getParts>): Promise<string> {
  const { sums, objectStore, takeTurn } = own;
  const all = parts.map(({ etag }) => etag);
  const { taken, hasher } = sums.upTo(id, all);
  if (taken.length === all.length) return hasher.digest("hex");
  return await own.summing(user_id, async () => {
    for (const { blobs, size } of parts.slice(taken.length))
      for await (const piece of await objectStore.open({ blobs }, { start: 0, length: size })) {
        hasher.update(piece);
        await giveWay(takeTurn, [user_id, ""]);
      }
    sums.save(id, { taken: all, hasher: hasher.copy() });
    return hasher.digest("hex");
  });
}

/** What a content is, and the chunks that are it; null where they are the object already. */
interface Sealed {
  sha256: string;
  parts: { number: number; etag: string }[] | null;
}

/** Finds what the content is, and notes it: from here on no chunk is taken, and a finish that was cut off goes on. */
async function seal(own: Own, row: store.UploadRow): Promise<Sealed> {
  // The chunks are the object already where a finish was cut off after that.
  const isObject = own.objectStore.findUpload(row.id) === null;
  if (row.sha256 !== null && isObject && own.contents.has(row.sha256)) return { sha256: row.sha256, parts: null };
  await openParts(own, { ...row, sha256: null });
  const parts = getParts(own, row);
  const sha256 = await sumUp(own, row, parts);
  if (row.promised !== null && row.promised !== sha256) throw fail("drive_checksum_mismatch", { sha256 });
  if (!own.db.tx(() => store.noteSum(own.db, row.id, sha256))) throw fail("drive_upload_not_found");
  return { sha256, parts: parts.map(({ number, etag }) => ({ number, etag })) };
}

async function finish(
  own: Own,
  by: By,
  sender: store.Sender,
  row: store.UploadRow,
  mayReplace: boolean,
): Promise<DriveNode> {
  const { db, objectStore, contents, sums } = own;
  const { id, size_bytes: size } = row;
  const place = { parentId: row.parent_id, name: row.name, mayReplace };
  findReplaced(own, by.user_id, place);
  const { sha256, parts } = await seal(own, row);
  const node = await contents.hold(
    sha256,
    async (object) => {
      if (parts === null) {
        if (!contents.has(sha256)) throw fail("drive_upload_not_found");
        return;
      }
      // Of exactly what was summed up: anything else would lie under the sum of other bytes, for all who store those.
      const outcome = await objectStore.change({ kind: "completeUpload", uploadId: id, parts, object });
      // The same bytes are here already: these are not needed.
      if (outcome.refused === "precondition_failed") await objectStore.change({ kind: "abortUpload", uploadId: id });
      // A chunk that was still on its way has changed what is here.
      else if (outcome.refused === "invalid_part") {
        db.tx(() => store.noteSum(db, id, null));
        throw fail("drive_upload_busy");
      } else if (outcome.refused !== null && !contents.has(sha256)) throw fail("drive_upload_not_found");
    },
    () => {
      if (store.findUpload(db, sender, id) === null) throw fail("drive_upload_not_found");
      const made = addFile(own, by, { ...place, sha256, size });
      store.noteFile(db, id, made.id);
      return made;
    },
  );
  sums.forget(id);
  return node;
}

/**
 * Makes the file of its chunks, which are not copied for that. Asked again, it answers the same file. Throws what `checkPlace` throws,
 * `drive_upload_not_found`, `drive_upload_incomplete`, `drive_checksum_mismatch`.
 */
export async function finishUpload(
  own: Own,
  by: By,
  id: string,
  mayReplace: boolean,
  shareId: string | null = null,
): Promise<DriveNode> {
  const sender = { userId: by.user_id, shareId };
  const row = getUpload(own, sender, id);
  const made = row.node_id === null ? null : findNode(own.db, by.user_id, row.node_id);
  if (made !== null) return present(made);
  const work =
    own.finishing.get(id) ?? finish(own, by, sender, row, mayReplace).finally(() => own.finishing.delete(id));
  own.finishing.set(id, work);
  return await work;
}

/** Removes what came of an upload whose row is gone. */
export async function dropParts({ objectStore, sums }: Own, id: string): Promise<void> {
  sums.forget(id);
  await objectStore.change({ kind: "abortUpload", uploadId: id });
}

/** Gives an upload up; what came of it is gone. Throws `drive_upload_not_found`, `drive_upload_busy`. */
export async function cancelUpload(own: Own, sender: store.Sender, id: string): Promise<void> {
  const { db } = own;
  getUpload(own, sender, id);
  if (own.finishing.has(id)) throw fail("drive_upload_busy");
  db.tx(() => store.deleteUpload(db, id));
  await dropParts(own, id);
}

/** Forgets uploads for which nothing came for long, and chunks whose upload is gone. */
export async function sweepUploads(own: Own, signal: AbortSignal): Promise<void> {
  const { db, clock, objectStore, contents, sums } = own;
  db.tx(() => store.deleteUploadsBefore(db, clock.now() - days(UPLOAD_DAYS)));
  const bucket = contents.findBucket();
  if (bucket === null) return;
  const limit = 1_000;
  for (let key = new Uint8Array(), after = ""; ; ) {
    const rows = objectStore.listUploads(bucket.id, { key, id: after, limit });
    for (const { id } of rows) {
      if (signal.aborted) return;
      if (store.isUploadOpen(db, id) || own.finishing.has(id)) continue;
      sums.forget(id);
      await objectStore.change({ kind: "abortUpload", uploadId: id });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    key = new Uint8Array(last.key);
    after = last.id;
  }
}

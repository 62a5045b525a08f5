import type { Database } from "bun:sqlite";
import * as catalogue from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";
import type { Condition, NewBlob, NewObject, Operation, Outcome, Refusal } from "./operations.ts";
import { noteOther, readSealing, switchSealing } from "./sealing-store.ts";
import * as uploads from "./upload-store.ts";

/** Where the bytes of new blobs were put, by their ids; those that are files have no entry. */
export type Placed = ReadonlyMap<string, catalogue.BlobPlace>;

export interface Work {
  db: Database;
  layout: Layout;
  placed: Placed;
  /** Writes what is known of an object beside the bytes in the segments; tells its number and where it is. */
  note(object: Noted): catalogue.NoteRow;
  /** Says that so much more, or less, of a segment counts. */
  count(segment: number, bytes: number): void;
  /** Names the key that is encrypted with. */
  key: string;
}

/** An object with all that it takes to know it again. */
export interface Noted {
  bucketId: string;
  key: Uint8Array;
  etag: string;
  at: number;
  facts: string;
  size: number;
  blobs: Pick<catalogue.BlobRow, "id" | "size" | "crc">[];
}

/** The least size of a part that is not the last. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;

const refuse = (refused: Refusal): Outcome => ({ refused });
const done = (size = 0): Outcome => ({ refused: null, size });
const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((id) => typeof id === "string");

/** The ids of blobs as a row has them. */
export function readIds(text: string): string[] {
  const ids: unknown = JSON.parse(text);
  if (!isIds(ids)) throw new Error("a row of the object store has no list of blobs");
  return ids;
}

/** One reference less to each; what nobody refers to any more is taken away. */
function release({ db, layout, count }: Work, ids: readonly string[]): void {
  for (const id of ids) {
    const blob = catalogue.referBlob(db, id, -1);
    if (blob === null || blob.refs > 0) continue;
    catalogue.deleteBlob(db, id);
    catalogue.deleteDamage(db, id);
    if (blob.segment === null) catalogue.addGarbage(db, layout.blob(blob));
    else count(blob.segment, -blob.record);
  }
}

function keep({ db, placed, count }: Work, { id, size, crc, sealed }: NewBlob): void {
  const place = placed.get(id) ?? { segment: null, position: 0, record: 0, sealed };
  catalogue.insertBlob(db, { id, ...place, size, crc });
  if (place.segment !== null) count(place.segment, place.record);
  // It began to come before that was switched.
  else if ((sealed === 1) !== readSealing(db).on) noteOther(db, size);
}

/** What nobody will ever refer to: a file stays on disk otherwise until the next start. */
function drop({ db, layout, placed }: Work, blob: NewBlob | null): void {
  if (blob !== null && !placed.has(blob.id)) catalogue.addGarbage(db, layout.blob(blob));
}

function judge(found: catalogue.ObjectRow | null, { isAbsent, notEtag, ...when }: Condition): Refusal | null {
  if (isAbsent === true && found !== null) return "precondition_failed";
  if (notEtag !== undefined && found?.etag === notEtag) return "precondition_failed";
  const { etag, modifiedAt, modifiedIn, size } = when;
  if ([etag, modifiedAt, modifiedIn, size].every((one) => one === undefined)) return null;
  if (found === null) return "no_object";
  const isOther =
    (modifiedAt !== undefined && modifiedAt !== found.modified_at) ||
    (modifiedIn !== undefined && Math.floor(modifiedIn / 1000) !== Math.floor(found.modified_at / 1000)) ||
    (size !== undefined && size !== found.size) ||
    (etag !== undefined && etag !== "*" && etag !== found.etag);
  return isOther ? "precondition_failed" : null;
}

/** Puts an object in the place of what was there. */
function replace(work: Work, object: NewObject, size: number, blobs: readonly string[]): Outcome {
  const { bucketId, key, etag, facts, at } = object;
  const before = catalogue.findNoted(work.db, bucketId, key);
  const row = { key, size, etag, modified_at: at, facts, blobs: JSON.stringify(blobs) };
  saveNoted(work, bucketId, row, before);
  catalogue.countIn(work.db, bucketId, size - (before?.size ?? 0), before === null ? 1 : 0);
  if (before !== null) release(work, readIds(before.blobs));
  return done(size);
}

/** Saves an object with a note of its own, in the place of the one before. */
export function saveNoted(
  work: Work,
  bucketId: string,
  row: catalogue.ObjectRow,
  before: catalogue.NoteRow | null,
): void {
  const { key, etag, facts, size, modified_at: at } = row;
  const blobs = readIds(row.blobs).flatMap((id) => catalogue.findBlob(work.db, id) ?? []);
  const note = work.note({ bucketId, key, etag, at, facts, size, blobs });
  catalogue.saveObject(work.db, bucketId, { ...row, ...note });
  if (note.note_segment !== null) work.count(note.note_segment, note.note_record);
  if (before !== null) strike(work, before);
}

/** Says that a note counts no more. */
function strike({ db, count }: Work, { note_segment, note_position, note_record }: catalogue.NoteRow): void {
  if (note_segment === null) return;
  catalogue.addDeadNote(db, note_segment, note_position);
  count(note_segment, -note_record);
}

/** Why an object cannot be put there; null when it can. */
function refusalOf(
  { db }: Work,
  { bucketId, key, when }: Pick<NewObject, "bucketId" | "key" | "when">,
): Refusal | null {
  if (catalogue.findBucketById(db, bucketId) === null) return "no_bucket";
  return judge(catalogue.findObject(db, bucketId, key), when);
}

function put(work: Work, operation: Extract<Operation, { kind: "put" }>): Outcome {
  const { blob } = operation;
  const refusal = refusalOf(work, operation);
  if (refusal !== null) {
    drop(work, blob);
    return refuse(refusal);
  }
  if (blob !== null) keep(work, blob);
  return replace(work, operation, blob?.size ?? 0, blob === null ? [] : [blob.id]);
}

function copy(work: Work, operation: Extract<Operation, { kind: "copy" }>): Outcome {
  const { from } = operation;
  const refusal = refusalOf(work, operation);
  if (refusal !== null) return refuse(refusal);
  const source = catalogue.findObject(work.db, from.bucketId, from.key);
  if (source === null) return refuse("no_object");
  if (source.etag !== from.etag) return refuse("precondition_failed");
  const blobs = readIds(source.blobs);
  for (const id of blobs) catalogue.referBlob(work.db, id, 1);
  return replace(work, operation, source.size, blobs);
}

function remove(work: Work, { bucketId, key, when }: Extract<Operation, { kind: "remove" }>): Outcome {
  const found = catalogue.findNoted(work.db, bucketId, key);
  const refusal = judge(found, when);
  if (refusal !== null) return refuse(refusal);
  if (found === null) return refuse("no_object");
  strike(work, found);
  catalogue.deleteObject(work.db, bucketId, key);
  catalogue.countIn(work.db, bucketId, -found.size, -1);
  release(work, readIds(found.blobs));
  return done(found.size);
}

function removeBucket({ db }: Work, id: string): Outcome {
  const bucket = catalogue.findBucketById(db, id);
  if (bucket === null) return refuse("no_bucket");
  if (bucket.object_count > 0) return refuse("bucket_not_empty");
  const [upload] = uploads.listUploads(db, id, { key: new Uint8Array(), id: "", limit: 1 });
  if (upload !== undefined) return refuse("bucket_not_empty");
  catalogue.deleteBucket(db, id);
  return done();
}

function putPart(work: Work, operation: Extract<Operation, { kind: "putPart" }>): Outcome {
  const { uploadId, number, etag, at, blob, sum = null, behind } = operation;
  const isOpen = uploads.findUpload(work.db, uploadId) !== null;
  const before = isOpen ? uploads.findPart(work.db, uploadId, number) : null;
  if (!isOpen || (behind !== undefined && behind.etag !== (before?.etag ?? null))) {
    drop(work, blob);
    return refuse(isOpen ? "invalid_part" : "no_upload");
  }
  const ids = before === null ? [] : readIds(before.blobs);
  const kept = ids.slice(0, behind?.kept ?? 0);
  const replaced = ids.slice(kept.length);
  const sizeOf = (id: string): number => catalogue.findBlob(work.db, id)?.size ?? 0;
  const keptSize = kept.length === 0 ? 0 : replaced.reduce((left, id) => left - sizeOf(id), before?.size ?? 0);
  keep(work, blob);
  const size = keptSize + blob.size;
  const blobs = JSON.stringify([...kept, blob.id]);
  uploads.savePart(work.db, uploadId, { number, size, etag, modified_at: at, blobs, sum });
  release(work, replaced);
  return done(size);
}

function completeUpload(work: Work, operation: Extract<Operation, { kind: "completeUpload" }>): Outcome {
  const { uploadId, parts, object } = operation;
  if (uploads.findUpload(work.db, uploadId) === null) return refuse("no_upload");
  const refusal = refusalOf(work, object);
  if (refusal !== null) return refuse(refusal);
  const there = new Map(uploads.listParts(work.db, uploadId).map((part) => [part.number, part]));
  const chosen: uploads.PartRow[] = [];
  for (const [index, { number, etag }] of parts.entries()) {
    const part = there.get(number);
    if (part?.etag !== etag) return refuse("invalid_part");
    if (part.size < LEAST_PART_BYTES && index < parts.length - 1) return refuse("invalid_part");
    there.delete(number);
    chosen.push(part);
  }
  // Parts that were sent and are not meant.
  for (const part of there.values()) release(work, readIds(part.blobs));
  uploads.deleteParts(work.db, uploadId);
  uploads.deleteUpload(work.db, uploadId);
  const size = chosen.reduce((sum, part) => sum + part.size, 0);
  return replace(
    work,
    object,
    size,
    chosen.flatMap((part) => readIds(part.blobs)),
  );
}

function abortUpload(work: Work, id: string): Outcome {
  if (uploads.findUpload(work.db, id) === null) return refuse("no_upload");
  for (const part of uploads.listParts(work.db, id)) release(work, readIds(part.blobs));
  uploads.deleteParts(work.db, id);
  uploads.deleteUpload(work.db, id);
  return done();
}

/** All of them or none: whoever looks finds every bucket under its name, or none of them. */
function unveilBuckets({ db }: Work, buckets: Extract<Operation, { kind: "unveilBuckets" }>["buckets"]): Outcome {
  const hidden = buckets.filter(({ id, name }) => catalogue.findBucketById(db, id)?.name !== name);
  for (const { id, name } of hidden) {
    if (catalogue.findBucketById(db, id) === null) return refuse("no_bucket");
    if (catalogue.findBucket(db, name) !== null) return refuse("bucket_exists");
  }
  for (const { id, name, set } of hidden) {
    const bucket = catalogue.findBucketById(db, id);
    if (bucket === null) continue;
    catalogue.renameBucket(db, id, name);
    catalogue.updateBucket(db, id, { ...bucket, ...set });
  }
  return done();
}

/** Puts a blob where its bytes are whole, and gives up where they are not. */
function mend({ db, layout, placed, count }: Work, id: string): Outcome {
  const blob = catalogue.findBlob(db, id);
  const place = placed.get(id);
  if (blob === null || place === undefined) return refuse("no_object");
  if (blob.segment === null) catalogue.addGarbage(db, layout.blob(blob));
  else count(blob.segment, -blob.record);
  catalogue.moveBlob(db, id, place);
  count(place.segment, place.record);
  return done(blob.size);
}

/** Carries out one change inside the transaction that is open; what is refused has changed nothing. */
export function applyOperation(work: Work, operation: Operation): Outcome {
  const { db } = work;
  switch (operation.kind) {
    case "makeBucket": {
      const { id, name, visibility, at } = operation;
      if (catalogue.findBucket(db, name) !== null) return refuse("bucket_exists");
      catalogue.insertBucket(db, { id, name, visibility, created_at: at });
      return done();
    }
    case "removeBucket":
      return removeBucket(work, operation.id);
    case "setBucket": {
      const bucket = catalogue.findBucketById(db, operation.id);
      if (bucket === null) return refuse("no_bucket");
      catalogue.updateBucket(db, operation.id, { ...bucket, ...operation.set });
      return done();
    }
    case "unveilBuckets":
      return unveilBuckets(work, operation.buckets);
    case "put":
      return put(work, operation);
    case "copy":
      return copy(work, operation);
    case "setFacts": {
      const { bucketId, key, etag, facts } = operation;
      const found = catalogue.findNoted(db, bucketId, key);
      if (found === null) return refuse("no_object");
      if (found.etag !== etag) return refuse("precondition_failed");
      saveNoted(work, bucketId, { ...found, facts }, found);
      return done(found.size);
    }
    case "remove":
      return remove(work, operation);
    case "beginUpload": {
      const { id, bucketId, key, facts, at } = operation;
      if (catalogue.findBucketById(db, bucketId) === null) return refuse("no_bucket");
      uploads.insertUpload(db, { id, bucket_id: bucketId, key, started_at: at, facts });
      return done();
    }
    case "putPart":
      return putPart(work, operation);
    case "completeUpload":
      return completeUpload(work, operation);
    case "abortUpload":
      return abortUpload(work, operation.uploadId);
    case "drop":
      drop(work, operation.blob);
      return done();
    case "noteCheck": {
      const { at, state, damaged, sound } = operation;
      catalogue.saveState(db, "check", state);
      for (const { id, reason, objects } of damaged) {
        if (catalogue.findBlob(db, id) === null) continue;
        catalogue.saveDamage(db, { blob_id: id, found_at: at, reason, objects: JSON.stringify(objects) });
      }
      for (const id of sound) catalogue.deleteDamage(db, id);
      return done();
    }
    case "mend":
      return mend(work, operation.id);
    case "setSealing":
      switchSealing(db, operation.on, work.key);
      return done();
  }
}

import * as fs from "node:fs";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { Noted } from "./apply-operation.ts";
import type { BlobPlace, BlobRow, NoteRow } from "./catalogue-store.ts";
import { MAGIC, type SegmentLog, STRUCK } from "./segment-log.ts";
import { plainSize, type Vault } from "./vault.ts";

/** A record in a segment: bytes of a blob, or a note about an object. What is foreign takes another key than ours. */
export type SegmentRecord = { start: number; record: number } & (
  | { kind: "blob"; id: string; crc: number; position: number; size: number; sealed: number }
  | { kind: "note"; seq: number; object: Noted; sealed: number }
  | { kind: "foreign"; key: string }
  | { kind: "struck" }
);

/** An open segment that records are read from. */
export interface SegmentSource {
  file: number;
  segment: number;
  vault: Vault;
}

const HEAD_BYTES = MAGIC.length + 12;
const MAX_HEAD = 16 * 1024 * 1024;
const LOOK_BYTES = 1024 * 1024;

/** What is bound into the encrypted bytes of a blob. They may be moved, so it is not their place. */
export const aboutBlob = (id: string): string => `blob:${id}`;

/** The same of a note, which counts in its place alone. */
const aboutNote = (segment: number, start: number): string => `note:${segment}:${start}`;

/** What the head of a record says when it is the bytes of a blob; `vault` names the key they are encrypted with. */
const blobHead = (id: string, crc: number, key: string | null): object =>
  key === null ? { id, crc } : { id, crc, vault: key };

/** The same of a note about an object. */
const noteHead = (seq: number, { key, blobs, ...object }: Noted): object => ({
  seq,
  ...object,
  key: Buffer.from(key).toString("hex"),
  blobs: blobs.map(({ id, size, crc }) => [id, size, crc]),
});

/** Writes records, encrypted while that is on. */
export interface RecordWriter {
  isOn: boolean;
  /** Adds the bytes of a blob. */
  addBlob(blob: { id: string; crc: number }, bytes: Uint8Array): BlobPlace;
  /** Adds those of one as they were written before, encrypted or not. */
  copyBlob(blob: Pick<BlobRow, "id" | "crc" | "sealed">, written: Uint8Array): BlobPlace;
  /** Adds a note; tells where it begins. */
  addNote(seq: number, object: Noted): NoteRow;
}

export function createRecordWriter(log: SegmentLog, vault: Vault, isOn: boolean): RecordWriter {
  const own: RecordWriter = {
    isOn,
    addBlob: ({ id, crc }, bytes) =>
      own.isOn
        ? own.copyBlob({ id, crc, sealed: 1 }, vault.seal(aboutBlob(id), bytes))
        : own.copyBlob({ id, crc, sealed: 0 }, bytes),
    copyBlob: ({ id, crc, sealed }, written) => ({
      ...log.add(blobHead(id, crc, sealed === 1 ? vault.id : null), written),
      sealed,
    }),
    addNote(seq, object) {
      const { segment, start } = log.next();
      const head = noteHead(seq, object);
      const { record } = own.isOn
        ? log.add(
            { note: 1, vault: vault.id },
            vault.seal(aboutNote(segment, start), Buffer.from(JSON.stringify(head))),
          )
        : log.add(head, new Uint8Array());
      return { seq, note_segment: segment, note_position: start, note_record: record };
    },
  };
  return own;
}

function readBlobs(value: unknown): Noted["blobs"] | null {
  if (!Array.isArray(value)) return null;
  const blobs = value.flatMap((one: unknown) => {
    const [id, size, crc]: unknown[] = Array.isArray(one) ? one : [];
    return typeof id === "string" && typeof size === "number" && typeof crc === "number" ? [{ id, size, crc }] : [];
  });
  return blobs.length === value.length ? blobs : null;
}

function readNote(head: Record<string, unknown>): { seq: number; object: Noted } | null {
  const { seq, bucketId, key, etag, at, facts, size } = head;
  const blobs = readBlobs(head["blobs"]);
  if (typeof seq !== "number" || typeof bucketId !== "string" || typeof key !== "string" || blobs === null) return null;
  if (typeof etag !== "string" || typeof at !== "number" || typeof facts !== "string" || typeof size !== "number")
    return null;
  return { seq, object: { bucketId, key: new Uint8Array(Buffer.from(key, "hex")), etag, at, facts, size, blobs } };
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(file, bytes, 0, length, at));
}

const isBegin = (bytes: Buffer): boolean => bytes.equals(MAGIC) || bytes.equals(STRUCK);

/** The record at a place; null where there is none that is whole. */
function readRecord({ file, segment, vault }: SegmentSource, start: number, end: number): SegmentRecord | null {
  const begin = readAt(file, start, HEAD_BYTES);
  const isStruck = begin.subarray(0, 4).equals(STRUCK);
  if (begin.length < HEAD_BYTES || !(isStruck || begin.subarray(0, 4).equals(MAGIC))) return null;
  const headLength = begin.readUInt32LE(4);
  const size = begin.readUInt32LE(8);
  const record = HEAD_BYTES + headLength + size;
  if (headLength > MAX_HEAD || start + record > end) return null;
  const text = readAt(file, start + HEAD_BYTES, headLength);
  if (text.length < headLength || Bun.hash.crc32(text) !== begin.readUInt32LE(12)) return null;
  const head = parseJson(text.toString("utf8"));
  const about = { start, record };
  if (isStruck) return { ...about, kind: "struck" };
  if (!isRecord(head)) return null;
  const { id, crc, vault: key } = head;
  if (typeof key === "string" && key !== vault.id) return { ...about, kind: "foreign", key };
  const sealed = typeof key === "string" ? 1 : 0;
  const position = start + HEAD_BYTES + headLength;
  if (typeof id === "string" && typeof crc === "number") {
    // One that was cut off by a crash, or whose length is damaged, would take what follows for its own bytes.
    const isFollowed = start + record === end || isBegin(readAt(file, start + record, MAGIC.length));
    if (!isFollowed && !isWhole(readAt(file, position, size), { id, crc, sealed }, vault)) return null;
    return { ...about, kind: "blob", id, crc, size: sealed === 1 ? plainSize(size) : size, position, sealed };
  }
  const opened = sealed === 1 ? vault.open(aboutNote(segment, start), readAt(file, position, size)) : null;
  const said = sealed === 1 ? parseJson(opened?.toString("utf8") ?? "null") : head;
  const note = isRecord(said) ? readNote(said) : null;
  return note === null ? null : { ...about, kind: "note", sealed, ...note };
}

/** Whether the bytes of a blob are those that were written. */
function isWhole(written: Buffer, { id, crc, sealed }: Pick<BlobRow, "id" | "crc" | "sealed">, vault: Vault): boolean {
  const bytes = sealed === 1 ? vault.open(aboutBlob(id), written) : written;
  return bytes !== null && Bun.hash.crc32(bytes) === crc;
}

/** Where the next record may begin. */
function findNext(file: number, from: number, end: number): number {
  for (let at = from; at < end; at += LOOK_BYTES) {
    // A beginning may lie across two looks.
    const bytes = readAt(file, at, Math.min(LOOK_BYTES + MAGIC.length - 1, end - at));
    const found = [bytes.indexOf(MAGIC), bytes.indexOf(STRUCK)].filter((place) => place !== -1);
    if (found.length > 0) return at + Math.min(...found);
  }
  return end;
}

/** The records of a segment in their order, from a place on. What is damaged between them is told by its length, and costs nothing else. */
export function* readRecords(
  source: SegmentSource,
  from: number,
  end: number,
): Generator<SegmentRecord | { kind: "damaged"; start: number; record: number }> {
  for (let at = from; at < end; ) {
    const record = readRecord(source, at, end);
    const next = record === null ? findNext(source.file, at + 1, end) : at + record.record;
    yield record ?? { kind: "damaged", start: at, record: next - at };
    at = next;
  }
}

/** Strikes a record out where it lies, so that whoever makes the catalogue anew passes over it. */
export const strikeOut = (file: number, start: number): void =>
  void fs.writeSync(file, STRUCK, 0, STRUCK.length, start);

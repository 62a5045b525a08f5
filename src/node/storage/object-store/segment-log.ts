import * as fs from "node:fs";
import type { Place } from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";

/** How a record begins, and how one does that was struck out. */
export const MAGIC = Buffer.from("ORS1");
export const STRUCK = Buffer.from("ORS0");

/** The segment that is being written: records one after the other, each with what it takes to know it again. */
export interface SegmentLog {
  /** The one that grows. */
  current(): number;
  /** Where the next record will begin. */
  next(): { segment: number; start: number };
  /** Adds a record there; it is in memory alone until `flush`. Tells where its bytes will be. */
  add(about: object, bytes: Uint8Array): Place;
  /** Lets what comes go into a new segment; nothing may wait to be flushed. */
  begin(): void;
  /** Writes what was added, and waits for the disk. What it throws leaves nothing counted. */
  flush(): void;
  /** Forgets what was added and not flushed; what was flushed stays. */
  forget(): void;
  /** Whether something was flushed that has neither been forgotten nor taken back. */
  hasFlushed(): boolean;
  /** Takes what was flushed last off the segment again. */
  takeBack(): void;
  /** How long the segments are that grew since this was asked last. */
  takeGrown(): { segment: number; bytes: number }[];
  close(): void;
}

/** Begins with `length` bytes of segment `id`; what a crash left behind them is cut off. One of `fullBytes` is followed by the next. */
export function openSegmentLog(layout: Layout, id: number, length: number, fullBytes: number): SegmentLog {
  let segment = id;
  let end = length;
  let file = openAt(layout, segment, end);
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const grown = new Map<number, number>();
  /** Where what was flushed last begins. */
  let flushedFrom: number | null = null;

  function begin(): void {
    fs.closeSync(file);
    segment += 1;
    end = 0;
    file = openAt(layout, segment, 0);
  }

  function next(): { segment: number; start: number } {
    if (end >= fullBytes && pendingBytes === 0) begin();
    return { segment, start: end + pendingBytes };
  }

  return {
    current: () => segment,
    next,
    begin,
    add(about, bytes) {
      const { start } = next();
      const head = Buffer.from(JSON.stringify(about));
      const sizes = Buffer.alloc(12);
      sizes.writeUInt32LE(head.length, 0);
      sizes.writeUInt32LE(bytes.length, 4);
      sizes.writeUInt32LE(Bun.hash.crc32(head), 8);
      const before = MAGIC.length + sizes.length + head.length;
      const place = { segment, position: start + before, record: before + bytes.length };
      pending.push(MAGIC, sizes, head, bytes);
      pendingBytes += place.record;
      return place;
    },
    flush() {
      if (pendingBytes === 0) return;
      const bytes = Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      try {
        let written = 0;
        while (written < bytes.length)
          written += fs.writeSync(file, bytes, written, bytes.length - written, end + written);
      } catch (error) {
        fs.ftruncateSync(file, end);
        throw error;
      }
      fs.fdatasyncSync(file);
      flushedFrom = end;
      end += bytes.length;
      grown.set(segment, end);
    },
    forget() {
      pending = [];
      pendingBytes = 0;
      flushedFrom = null;
    },
    hasFlushed: () => flushedFrom !== null,
    takeBack() {
      if (flushedFrom === null) return;
      fs.ftruncateSync(file, flushedFrom);
      end = flushedFrom;
      flushedFrom = null;
      if (end === 0) grown.delete(segment);
      else grown.set(segment, end);
    },
    takeGrown() {
      const list = [...grown].map(([of, bytes]) => ({ segment: of, bytes }));
      grown.clear();
      return list;
    },
    close: () => fs.closeSync(file),
  };
}

function openAt(layout: Layout, segment: number, length: number): number {
  const file = fs.openSync(layout.segment(segment), fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  if (fs.fstatSync(file).size > length) fs.ftruncateSync(file, length);
  fs.fsyncSync(file);
  syncFolder(layout.segments);
  return file;
}

/** Waits until the names in a folder are on disk. */
export function syncFolder(path: string): void {
  const folder = fs.openSync(path, "r");
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

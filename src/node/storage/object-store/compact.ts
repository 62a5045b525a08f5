import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { saveNoted, type Work } from "./apply-operation.ts";
import * as catalogue from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";
import { blobHead, readRecords, strikeOut } from "./records.ts";
import type { SegmentLog } from "./segment-log.ts";

/** How much of a segment one step brings over, so that changes do not wait long. */
const MOVE_BYTES = 16 * 1024 * 1024;
/** Notes that one step looks at, strikes out or writes. */
const NOTES = 2_000;

/** A segment that is being emptied. */
export interface Emptied {
  segment: number;
  /** How far its notes were looked through. */
  position: number;
  /** Something in it could not be read. */
  isDamaged: boolean;
}

interface Own {
  db: Database;
  layout: Layout;
  log: SegmentLog;
  /** Runs a change whose bytes are on disk before it counts. */
  commit<T>(change: (work: Work) => T): T;
}

/** Strikes out notes that count no more, where they lie. True when there may be more. */
export function strikeDead({ db, layout }: Pick<Own, "db" | "layout">): boolean {
  const dead = catalogue.listDeadNotes(db, NOTES);
  for (const [segment, places] of Map.groupBy(dead, (place) => place.segment)) {
    if (!fs.existsSync(layout.segment(segment))) continue;
    const file = fs.openSync(layout.segment(segment), "r+");
    try {
      for (const { position } of places) strikeOut(file, position);
      fs.fdatasyncSync(file);
    } finally {
      fs.closeSync(file);
    }
  }
  db.transaction(() => {
    for (const { segment, position } of dead) catalogue.deleteDeadNote(db, segment, position);
  }).immediate();
  return dead.length === NOTES;
}

/** Writes notes about objects that have none: those of older programs, and those whose note was damaged. True when there may be more. */
export function noteSome({ db, commit }: Own): boolean {
  const rows = catalogue.listUnnoted(db, NOTES);
  if (rows.length === 0) return false;
  commit((work) => {
    for (const { bucket_id, ...row } of rows) saveNoted(work, bucket_id, row, null);
  });
  return rows.length === NOTES;
}

/** Which segment is mostly unused. */
export const findWorn = ({ db, log }: Own): Emptied | null => {
  const worn = catalogue
    .listSegments(db)
    .find(({ id, bytes, live_bytes }) => id !== log.current() && live_bytes < bytes / 2);
  return worn === undefined ? null : { segment: worn.id, position: 0, isDamaged: false };
};

/** Brings a segment nearer to its end: first its blobs are brought over, then its notes. True when it is gone. */
export function emptySome(own: Own, emptied: Emptied): boolean {
  const { db, layout } = own;
  if (catalogue.listBlobsOf(db, emptied.segment).length > 0) {
    moveBlobs(own, emptied.segment);
    return false;
  }
  const { bytes = 0 } = catalogue.listSegments(db).find(({ id }) => id === emptied.segment) ?? {};
  if (emptied.position < bytes) {
    moveNotes(own, emptied, bytes);
    return false;
  }
  db.transaction(() => {
    if (emptied.isDamaged) catalogue.forgetNotesIn(db, emptied.segment);
    catalogue.deleteSegment(db, emptied.segment);
    catalogue.addGarbage(db, layout.segment(emptied.segment));
  }).immediate();
  return true;
}

function moveBlobs({ db, layout, log, commit }: Own, segment: number): void {
  const file = fs.openSync(layout.segment(segment), "r");
  try {
    commit(({ count }) => {
      let bytes = 0;
      for (const blob of catalogue.listBlobsOf(db, segment)) {
        if (bytes > MOVE_BYTES) break;
        const data = Buffer.alloc(blob.size);
        fs.readSync(file, data, 0, blob.size, blob.position);
        // What is damaged goes along as it is: whoever reads it, and the check of all bytes, find it where it is then.
        const place = log.add(blobHead(blob.id, blob.crc), data);
        count(segment, -blob.record);
        catalogue.moveBlob(db, blob.id, place);
        count(place.segment, place.record);
        bytes += blob.size;
      }
    });
  } finally {
    fs.closeSync(file);
  }
}

function moveNotes({ db, layout, commit }: Own, emptied: Emptied, end: number): void {
  const file = fs.openSync(layout.segment(emptied.segment), "r");
  try {
    commit((work) => {
      let count = 0;
      for (const found of readRecords(file, emptied.position, end)) {
        emptied.position = found.start + found.record;
        if (found.kind === "damaged") emptied.isDamaged = true;
        if (found.kind === "note") {
          const { bucketId, key } = found.object;
          const row = catalogue.findNoted(db, bucketId, key);
          if (row?.note_segment === emptied.segment && row.note_position === found.start)
            saveNoted(work, bucketId, row, row);
        }
        count += 1;
        if (count === NOTES) break;
      }
    });
  } finally {
    fs.closeSync(file);
  }
}

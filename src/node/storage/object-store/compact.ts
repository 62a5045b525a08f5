import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { saveNoted, type Work } from "./apply-operation.ts";
import * as catalogue from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";
import { aboutBlob, type RecordWriter, readRecords, strikeOut } from "./records.ts";
import { lowerLeft } from "./sealing-store.ts";
import type { SegmentLog } from "./segment-log.ts";
import { sealedSize, type Vault } from "./vault.ts";

/** How much of a segment one step brings over, so that changes do not wait long. */
const MOVE_BYTES = 16 * 1024 * 1024;
/** Notes that one step looks at, strikes out or writes. */
const NOTES = 2_000;

/** A segment that is being emptied. */
export interface Emptied {
  segment: number;
  /** It goes since it is encrypted and should not be, or the other way round. */
  isOther: boolean;
  /** How far its notes were looked through. */
  position: number;
  /** Something in it could not be read. */
  isDamaged: boolean;
}

interface Own {
  db: Database;
  layout: Layout;
  log: SegmentLog;
  writer: RecordWriter;
  vault: Vault;
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

/** Which segment is mostly unused, or, with `alsoOther`, is encrypted and should not be, or the other way round. */
export function findWorn({ db, log, writer }: Own, alsoOther: boolean): Emptied | null {
  const old = catalogue.listSegments(db).filter(({ id }) => id !== log.current());
  const worn = old.find(({ bytes, live_bytes }) => live_bytes < bytes / 2);
  const other = alsoOther ? old.find(({ sealed }) => (sealed === 1) !== writer.isOn) : undefined;
  const found = worn ?? other;
  return found === undefined ? null : { segment: found.id, isOther: found === other, position: 0, isDamaged: false };
}

/** Brings a segment nearer to its end: first its blobs are brought over, then its notes. True when it is gone. */
export function emptySome(own: Own, emptied: Emptied): boolean {
  const { db, layout } = own;
  if (catalogue.hasBlobsOf(db, emptied.segment)) {
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

/** Adds the bytes of a blob, as they lie in `file`, to what is written now. */
function addAgain({ writer, vault }: Own, blob: catalogue.BlobRow, file: number): catalogue.BlobPlace {
  const written = Buffer.alloc(blob.sealed === 1 ? sealedSize(blob.size) : blob.size);
  fs.readSync(file, written, 0, written.length, blob.position);
  // What is damaged goes along as it is: whoever reads it, and the check of all bytes, find it where it is then.
  if ((blob.sealed === 1) === writer.isOn) return writer.copyBlob(blob, written);
  const bytes = blob.sealed === 1 ? vault.open(aboutBlob(blob.id), written) : written;
  return bytes === null ? writer.copyBlob(blob, written) : writer.addBlob(blob, bytes);
}

function moveBlobs(own: Own, segment: number): void {
  const { db, layout, commit, writer } = own;
  const file = fs.openSync(layout.segment(segment), "r");
  try {
    commit(({ count }) => {
      let bytes = 0;
      let followed = 0;
      for (const blob of catalogue.listBlobsOf(db, segment)) {
        if (bytes > MOVE_BYTES) break;
        const place = addAgain(own, blob, file);
        count(segment, -blob.record);
        catalogue.moveBlob(db, blob.id, place);
        count(place.segment, place.record);
        bytes += blob.size;
        if ((blob.sealed === 1) !== writer.isOn) followed += blob.size;
      }
      if (followed > 0) lowerLeft(db, followed);
    });
  } finally {
    fs.closeSync(file);
  }
}

function moveNotes({ db, layout, vault, commit }: Own, emptied: Emptied, end: number): void {
  const { segment } = emptied;
  const file = fs.openSync(layout.segment(segment), "r");
  // How far it came counts only once that is on disk: a note that stayed behind would be lost with the segment.
  let { position } = emptied;
  try {
    commit((work) => {
      let count = 0;
      for (const found of readRecords({ file, segment, vault }, position, end)) {
        position = found.start + found.record;
        if (found.kind === "damaged" || found.kind === "foreign") emptied.isDamaged = true;
        if (found.kind === "note") {
          const { bucketId, key } = found.object;
          const row = catalogue.findNoted(db, bucketId, key);
          if (row?.note_segment === segment && row.note_position === found.start) saveNoted(work, bucketId, row, row);
        }
        count += 1;
        if (count === NOTES) break;
      }
    });
    emptied.position = position;
  } finally {
    fs.closeSync(file);
  }
}

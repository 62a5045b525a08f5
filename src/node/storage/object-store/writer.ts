import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../kernel/db/migrate.ts";
import { closeDatabase, openDatabase } from "../../../kernel/db/open.ts";
import { applyOperation } from "./apply-operation.ts";
import { catalogueMigrations } from "./catalogue-migrations.ts";
import * as catalogue from "./catalogue-store.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { NewBlob, Operation, Outcome } from "./operations.ts";
import { openSegmentLog, type SegmentLog } from "./segment-log.ts";

/** The one writer of a store. Everything it does waits for the disk, so it lives in a thread of its own. */
export interface Writer {
  /** Carries out changes together: their bytes, then the catalogue; both are on disk when this returns. */
  write(operations: readonly Operation[]): Outcome[];
  /** Removes files that nothing refers to, and brings together what is left of segments that are mostly unused. */
  tidy(): number[];
  /** What was found wrong when it was opened. */
  problems: readonly string[];
  close(): void;
}

/** How much of a segment one step brings over, so that changes do not wait long. */
const MOVE_BYTES = 16 * 1024 * 1024;

/** Segments of this size grow no more. */
const FULL_BYTES = 256 * 1024 * 1024;

/** Opens a store below `folder`, or makes one; files of blobs made before `startId` that nothing refers to are left over from a crash. */
export function openWriter(folder: string, at: string, startId: string, fullBytes = FULL_BYTES): Writer {
  const layout = layoutOf(folder);
  for (const path of [folder, layout.segments, layout.blobs, layout.incoming])
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const db = openDatabase(layout.catalogue);
  migrate(db, catalogueMigrations, at, () => {});
  for (const name of fs.readdirSync(layout.incoming)) fs.rmSync(join(layout.incoming, name), { force: true });
  const problems = checkSegments(db, layout);
  const last = catalogue.listSegments(db).at(-1);
  const log = openSegmentLog(layout, last?.id ?? 1, last?.bytes ?? 0, fullBytes);
  let broken: Error | null = null;
  let hasSwept = false;

  function flush(): void {
    try {
      log.flush();
    } catch (error) {
      // After a failed fsync nobody knows what is on disk: only a new start, which looks, may write again.
      if (!isFull(error)) broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  return {
    problems,
    write(operations) {
      if (broken !== null) throw broken;
      const placed = new Map<string, catalogue.Place>();
      for (const operation of operations) {
        const blob = packedOf(operation);
        if (blob?.bytes) placed.set(blob.id, log.add(aboutOf(operation, blob), blob.bytes));
      }
      flush();
      return db
        .transaction(() => {
          const outcomes = operations.map((operation) => applyOperation({ db, layout, placed }, operation));
          for (const { segment, bytes } of log.takeGrown()) catalogue.growSegment(db, segment, bytes, 0);
          for (const [id, { segment }] of placed) countLive(db, id, segment);
          return outcomes;
        })
        .immediate();
    },
    tidy() {
      if (broken !== null) return [];
      if (!hasSwept) sweep(db, layout, startId);
      hasSwept = true;
      removeGarbage(db);
      return compact(db, layout, log, flush);
    },
    close() {
      log.close();
      closeDatabase(db);
    },
  };
}

const isFull = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOSPC";

function packedOf(operation: Operation): NewBlob | null {
  return operation.kind === "put" || operation.kind === "putPart" ? operation.blob : null;
}

/** What a record says of itself, so that a catalogue could be made anew from the segments. */
function aboutOf(operation: Operation, { id, crc }: NewBlob): object {
  if (operation.kind !== "put") return { id, crc };
  const { bucketId, key, etag, at, facts } = operation;
  return { id, crc, bucket: bucketId, key: Buffer.from(key).toString("hex"), etag, at, facts };
}

/** What was written and then refused counts as unused. */
function countLive(db: Database, id: string, segment: number): void {
  const blob = catalogue.findBlob(db, id);
  if (blob !== null) catalogue.shrinkSegment(db, segment, -blob.record);
}

/** Says of which segments bytes are missing, and removes files that no change ever counted. */
function checkSegments(db: Database, layout: Layout): string[] {
  const known = new Map(catalogue.listSegments(db).map((segment) => [`${segment.id}.seg`, segment]));
  const problems: string[] = [];
  const there = new Set(fs.readdirSync(layout.segments));
  for (const [name, { bytes }] of known) {
    const size = there.has(name) ? fs.statSync(join(layout.segments, name)).size : 0;
    if (size < bytes) problems.push(`${name} has ${size} bytes, and ${bytes} were written to it`);
  }
  for (const name of there) if (!known.has(name)) fs.rmSync(join(layout.segments, name));
  return problems;
}

/** Files that were on disk when the program was killed, before the change that would have named them. */
function sweep(db: Database, layout: Layout, startId: string): void {
  for (const folder of fs.readdirSync(layout.blobs)) {
    for (const id of fs.readdirSync(join(layout.blobs, folder))) {
      if (id < startId && catalogue.findBlob(db, id) === null) fs.rmSync(layout.blob(id), { force: true });
    }
  }
}

function removeGarbage(db: Database): void {
  const paths = catalogue.listGarbage(db);
  if (paths.length === 0) return;
  for (const path of paths) fs.rmSync(path, { force: true });
  db.transaction(() => {
    for (const path of paths) catalogue.deleteGarbage(db, path);
  }).immediate();
}

/** Brings one segment that is mostly unused nearer to its end; the ids of those that are gone. */
function compact(db: Database, layout: Layout, log: SegmentLog, flush: () => void): number[] {
  const worn = catalogue
    .listSegments(db)
    .find(({ id, bytes, live_bytes }) => id !== log.current() && live_bytes < bytes / 2);
  if (worn === undefined) return [];
  const file = fs.openSync(layout.segment(worn.id), "r");
  const moved = new Map<string, catalogue.Place>();
  try {
    let bytes = 0;
    for (const blob of catalogue.listBlobsOf(db, worn.id)) {
      if (bytes > MOVE_BYTES) break;
      const data = Buffer.alloc(blob.size);
      fs.readSync(file, data, 0, blob.size, blob.position);
      if (Bun.hash.crc32(data) !== blob.crc)
        throw new Error(`${layout.segment(worn.id)} is damaged at ${blob.position}`);
      moved.set(blob.id, log.add({ id: blob.id, crc: blob.crc }, data));
      bytes += blob.size;
    }
  } finally {
    fs.closeSync(file);
  }
  flush();
  return db
    .transaction(() => {
      for (const { segment, bytes } of log.takeGrown()) catalogue.growSegment(db, segment, bytes, 0);
      for (const [id, place] of moved) {
        catalogue.shrinkSegment(db, worn.id, catalogue.findBlob(db, id)?.record ?? 0);
        catalogue.moveBlob(db, id, place);
        catalogue.shrinkSegment(db, place.segment, -place.record);
      }
      if (catalogue.listBlobsOf(db, worn.id).length > 0) return [];
      catalogue.deleteSegment(db, worn.id);
      catalogue.addGarbage(db, layout.segment(worn.id));
      return [worn.id];
    })
    .immediate();
}

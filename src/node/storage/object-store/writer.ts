import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../kernel/db/migrate.ts";
import { closeDatabase, openDatabase } from "../../../kernel/db/open.ts";
import { applyOperation, type Noted, type Placed, type Work } from "./apply-operation.ts";
import { catalogueMigrations } from "./catalogue-migrations.ts";
import * as catalogue from "./catalogue-store.ts";
import { type Emptied, emptySome, findWorn, noteSome, strikeDead } from "./compact.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { type NewBlob, OF_BUCKETS, type Operation, type Outcome } from "./operations.ts";
import { needsRebuild, rebuildCatalogue, tellRebuilt, writeBuckets } from "./rebuild.ts";
import { blobHead, noteHead } from "./records.ts";
import { openSegmentLog } from "./segment-log.ts";

/** The one writer of a store. Everything it does waits for the disk, so it lives in a thread of its own. */
export interface Writer {
  /** Carries out changes together: their bytes, then the catalogue; both are on disk when this returns. */
  write(operations: readonly Operation[]): Outcome[];
  /** Removes files that nothing refers to, and brings together what is left of segments that are mostly unused; true when there is more to do. */
  tidy(): boolean;
  /** What was found wrong when it was opened. */
  problems: readonly string[];
  close(): void;
}

/** Segments of this size grow no more. */
const FULL_BYTES = 256 * 1024 * 1024;

/** Opens a store below `folder`, or makes one; files of blobs made before `startId` that nothing refers to are left over from a crash. */
export function openWriter(folder: string, at: string, startId: string, fullBytes = FULL_BYTES): Writer {
  const layout = layoutOf(folder);
  for (const path of [folder, layout.segments, layout.blobs, layout.incoming])
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const problems = needsRebuild(layout) ? tellRebuilt(rebuildCatalogue(layout, at)) : [];
  const db = openDatabase(layout.catalogue);
  migrate(db, catalogueMigrations, at, () => {});
  for (const name of fs.readdirSync(layout.incoming)) fs.rmSync(join(layout.incoming, name), { force: true });
  problems.push(...checkSegments(db, layout));
  const last = catalogue.listSegments(db).at(-1);
  const log = openSegmentLog(layout, last?.id ?? 1, last?.bytes ?? 0, fullBytes);
  let seq = Number(catalogue.readState(db, "seq") ?? 0);
  let broken: Error | null = null;
  let hasSwept = false;
  let emptied: Emptied | null = null;
  if (!fs.existsSync(layout.buckets)) writeBuckets(layout, catalogue.listBuckets(db));

  function flush(): void {
    try {
      log.flush();
    } catch (error) {
      // After a failed fsync nobody knows what is on disk: only a new start, which looks, may write again.
      if (!isFull(error)) broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  function note(object: Noted): catalogue.NoteRow {
    seq += 1;
    const { segment, position, record } = log.add(noteHead(seq, object), new Uint8Array());
    return { seq, note_segment: segment, note_position: position - record, note_record: record };
  }

  /** Makes a change whose bytes are on disk before it counts. */
  function commit<T>(change: (work: Work) => T, placed: Placed = new Map()): T {
    const before = seq;
    const live = new Map<number, number>();
    const count = (segment: number, bytes: number) => void live.set(segment, (live.get(segment) ?? 0) + bytes);
    try {
      return db
        .transaction(() => {
          const result = change({ db, layout, placed, note, count });
          flush();
          for (const [segment, bytes] of live) catalogue.countLive(db, segment, bytes);
          for (const { segment, bytes } of log.takeGrown()) catalogue.growSegment(db, segment, bytes);
          if (seq !== before) catalogue.saveState(db, "seq", String(seq));
          return result;
        })
        .immediate();
    } finally {
      log.forget();
    }
  }

  const own = { db, layout, log, commit };
  return {
    problems,
    write(operations) {
      if (broken !== null) throw broken;
      const placed = new Map<string, catalogue.Place>();
      for (const operation of operations) {
        const blob = packedOf(operation);
        if (blob?.bytes) placed.set(blob.id, log.add(blobHead(blob.id, blob.crc), blob.bytes));
      }
      const outcomes = commit((work) => operations.map((operation) => applyOperation(work, operation)), placed);
      if (operations.some(({ kind }) => OF_BUCKETS.includes(kind))) writeBuckets(layout, catalogue.listBuckets(db));
      return outcomes;
    },
    tidy() {
      if (broken !== null) return false;
      if (!hasSwept) sweep(db, layout, startId);
      hasSwept = true;
      removeGarbage(db);
      const more = [strikeDead(own), noteSome(own)].includes(true);
      emptied ??= findWorn(own);
      if (emptied === null) return more;
      if (emptySome(own, emptied)) emptied = null;
      return true;
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

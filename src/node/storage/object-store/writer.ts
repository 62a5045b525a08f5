import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { migrate } from "../../../kernel/db/migrate.ts";
import { closeDatabase, openDatabase } from "../../../kernel/db/open.ts";
import { applyOperation, type Noted, type Placed, type Work } from "./apply-operation.ts";
import { catalogueMigrations } from "./catalogue-migrations.ts";
import * as catalogue from "./catalogue-store.ts";
import { MAX_ROWS } from "./commits.ts";
import { type Emptied, emptySome, findWorn, noteSome, strikeDead } from "./compact.ts";
import { type Layout, layoutOf, readBlobFileName } from "./layout.ts";
import { type Answer, OF_BUCKETS, type Operation } from "./operations.ts";
import { needsRebuild, rebuildCatalogue, tellRebuilt, writeBuckets } from "./rebuild.ts";
import { createRecordWriter } from "./records.ts";
import { createFileRewriter } from "./rewrite-files.ts";
import { markSealing, wrongKey } from "./sealing.ts";
import { endSealing, readSealing } from "./sealing-store.ts";
import { openSegmentLog, syncFolder } from "./segment-log.ts";
import { createVault, type Vault } from "./vault.ts";
import { weighFirst } from "./weigh-operation.ts";

/** The one writer of a store. Everything it does waits for the disk, so it lives in a thread of its own. */
export interface Writer {
  /**
   * Carries out changes together: their bytes, then the catalogue; both are on disk when this returns. Where they would touch too many rows
   * it is the first of them, as many as it answers; nothing of the others is begun.
   */
  write(operations: readonly Operation[]): Pick<Answer, "outcomes" | "rows">;
  /**
   * Removes files that nothing refers to, brings together what is left of segments that are mostly unused and, where there is room,
   * writes anew what is not encrypted as it should be; true when there is more to do.
   */
  tidy(mayGrow?: boolean, garbage?: readonly string[]): boolean;
  /** What was found wrong when it was opened. */
  problems: readonly string[];
  close(): void;
}

/** Segments of this size grow no more. */
const FULL_BYTES = 256 * 1024 * 1024;

/** What a writer is opened with. */
export interface WriterOptions {
  folder: string;
  /** Now. */
  at: string;
  /** Files of blobs made before that nothing refers to are left over from a crash. */
  startId: string;
  /** What the store encrypts with, 32 bytes. */
  key: Uint8Array;
  fullBytes?: number;
}

/** Opens a store below `folder`, or makes one. Throws when it is encrypted with another key; nothing of it is open then. */
export function openWriter(options: WriterOptions): Writer {
  const layout = layoutOf(options.folder);
  const vault = createVault(options.key);
  for (const path of [options.folder, layout.segments, layout.blobs, layout.incoming])
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  // What lies in a folder is there after a power cut only if the folder itself is.
  for (const path of [options.folder, dirname(options.folder)]) syncFolder(path);
  const problems = needsRebuild(layout) ? tellRebuilt(rebuildCatalogue(layout, vault, options.at)) : [];
  const db = openDatabase(layout.catalogue);
  try {
    return writeWith(db, layout, vault, problems, options);
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function writeWith(
  db: Database,
  layout: Layout,
  vault: Vault,
  found: readonly string[],
  { at, startId, fullBytes = FULL_BYTES }: WriterOptions,
): Writer {
  migrate(db, catalogueMigrations, at, () => {});
  const sealing = readSealing(db);
  const wrong = wrongKey(sealing, vault);
  if (wrong !== null) throw new Error(wrong);
  markSealing(layout, sealing.on);
  for (const name of fs.readdirSync(layout.incoming)) fs.rmSync(join(layout.incoming, name), { force: true });
  const problems = [...found, ...checkSegments(db, layout)];
  if (!fs.existsSync(layout.buckets)) writeBuckets(layout, catalogue.listBuckets(db));
  const last = catalogue.listSegments(db).at(-1);
  const log = openSegmentLog(layout, last?.id ?? 1, last?.bytes ?? 0, fullBytes);
  const writer = createRecordWriter(log, vault, sealing.on);
  // A segment is encrypted as a whole, or not at all.
  if (last !== undefined && (last.sealed === 1) !== sealing.on) log.begin();
  let seq = Number(catalogue.readState(db, "seq") ?? 0);
  let broken: Error | null = null;
  let hasSwept = false;
  let emptied: Emptied | null = null;

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
    return writer.addNote(seq, object);
  }

  /** Makes a change whose bytes are on disk before it counts. */
  function commit<T>(change: (work: Work) => T, placed: Placed = new Map()): T {
    const before = seq;
    const live = new Map<number, number>();
    const count = (segment: number, bytes: number) => void live.set(segment, (live.get(segment) ?? 0) + bytes);
    try {
      return db
        .transaction(() => {
          const result = change({ db, layout, placed, note, count, key: vault.id });
          flush();
          for (const [segment, bytes] of live) catalogue.countLive(db, segment, bytes);
          const sealed = writer.isOn ? 1 : 0;
          for (const { segment, bytes } of log.takeGrown()) catalogue.growSegment(db, segment, bytes, sealed);
          if (seq !== before) catalogue.saveState(db, "seq", String(seq));
          return result;
        })
        .immediate();
    } catch (error) {
      takeBack(error);
      throw error;
    } finally {
      log.forget();
    }
  }

  /**
   * Of a change that the catalogue did not take no note may stay: who makes the catalogue anew would believe it. Where it is not known
   * whether the catalogue took it, the bytes stay, and only a new start may write again.
   */
  function takeBack(error: unknown): void {
    if (broken !== null || !log.hasFlushed()) return;
    try {
      if (!isFull(error)) throw error;
      log.takeBack();
    } catch (why) {
      broken = why instanceof Error ? why : new Error(String(why));
    }
  }

  const own = { db, layout, log, writer, vault, commit };
  const files = createFileRewriter(own);

  /** What is written from here on follows the switch, and what was there before goes with the next tidying. */
  function followSwitch(): void {
    const { on } = readSealing(db);
    if (on === writer.isOn) return;
    writer.isOn = on;
    log.begin();
    files.restart();
    emptied = null;
    if (!on) markSealing(layout, false);
  }

  /** A step towards all being encrypted, or nothing; true when there is more to do. */
  function followSome(): boolean {
    if (readSealing(db).isDone) return false;
    if (files.step(writer.isOn)) return true;
    // Some may have come meanwhile that lie before the last one.
    const mayHaveMore = files.hasWritten();
    files.restart();
    if (!mayHaveMore) commit(() => endSealing(db));
    return mayHaveMore;
  }

  /** A step of emptying the segment that is being emptied, or the next; true when there was one. */
  function emptyNext(mayGrow: boolean): boolean {
    if (emptied?.isOther && !mayGrow) return false;
    emptied ??= findWorn(own, mayGrow);
    if (emptied === null) return false;
    if (emptySome(own, emptied)) emptied = null;
    return true;
  }
  return {
    problems,
    write(all) {
      if (broken !== null) throw broken;
      const rows = weighFirst(db, all, MAX_ROWS);
      const operations = all.slice(0, rows.length);
      if (operations.some((one) => one.kind === "setSealing" && one.on)) markSealing(layout, true);
      const placed = new Map<string, catalogue.BlobPlace>();
      for (const operation of operations) {
        const blob = packedOf(operation);
        if (blob !== null) placed.set(blob.id, writer.addBlob(blob, blob.bytes));
      }
      const outcomes = commit((work) => operations.map((operation) => applyOperation(work, operation)), placed);
      if (operations.some(({ kind }) => OF_BUCKETS.includes(kind))) writeBuckets(layout, catalogue.listBuckets(db));
      if (operations.some(({ kind }) => kind === "setSealing")) followSwitch();
      return { outcomes, rows };
    },
    tidy(mayGrow = true, garbage = catalogue.listGarbage(db)) {
      if (broken !== null) return false;
      if (!hasSwept) sweep(db, layout, startId);
      hasSwept = true;
      const more = [removeGarbage(db, garbage), strikeDead(own), noteSome(own)].includes(true);
      return emptyNext(mayGrow) || (mayGrow && followSome()) || more;
    },
    close() {
      files.restart();
      log.close();
      closeDatabase(db);
    },
  };
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "SQLITE_FULL");

/** The bytes that a change brings with it. */
function packedOf(operation: Operation): { id: string; crc: number; bytes: Uint8Array } | null {
  if (operation.kind === "mend") return { ...operation, crc: Bun.hash.crc32(operation.bytes) };
  if (operation.kind !== "put" && operation.kind !== "putPart") return null;
  const { blob } = operation;
  return blob?.bytes ? { id: blob.id, crc: blob.crc, bytes: blob.bytes } : null;
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
  db.transaction(() => catalogue.forgetGoneSegments(db, layout.segments)).immediate();
  return problems;
}

/** Files that were on disk when the program was killed, before the change that would have named them. */
function sweep(db: Database, layout: Layout, startId: string): void {
  for (const folder of fs.readdirSync(layout.blobs)) {
    for (const name of fs.readdirSync(join(layout.blobs, folder))) {
      const file = readBlobFileName(name);
      const row = file.id < startId ? catalogue.findBlob(db, file.id) : file;
      // One that is encrypted and one that is not may have been there both.
      if (row?.sealed !== file.sealed) fs.rmSync(layout.blob(file), { force: true });
    }
  }
}

/** Removes files, but for those that something refers to again since they were listed. True when it removed any. */
function removeGarbage(db: Database, listed: readonly string[]): boolean {
  const paths = listed.filter((path) => catalogue.isGarbage(db, path));
  if (paths.length === 0) return false;
  for (const path of paths) fs.rmSync(path, { force: true });
  db.transaction(() => {
    for (const path of paths) catalogue.deleteGarbage(db, path);
  }).immediate();
  return true;
}

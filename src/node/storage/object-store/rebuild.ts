import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { join } from "node:path";
import { migrate } from "../../../kernel/db/migrate.ts";
import { closeDatabase, openDatabase } from "../../../kernel/db/open.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { catalogueMigrations } from "./catalogue-migrations.ts";
import { type BucketRow, findBlob } from "./catalogue-store.ts";
import { type Layout, readBlobFileName } from "./layout.ts";
import * as store from "./rebuild-store.ts";
import { readRecords } from "./records.ts";
import { wordsOfKey } from "./sealing.ts";
import { switchSealing } from "./sealing-store.ts";
import { syncFolder } from "./segment-log.ts";
import type { Vault } from "./vault.ts";

/** What came of making a catalogue anew. */
export interface Rebuilt {
  objects: number;
  /** Objects whose bytes are nowhere, and some of their names. */
  lost: number;
  lostNames: string[];
  /** Places in segments that could not be read. */
  damaged: number;
  /** Files that nothing is known of; they lie in `unclaimed` now. */
  unclaimed: number;
}

/** What the segments hold. */
interface Found {
  /** How long they are, and whether all in them is encrypted. */
  segments: { id: number; bytes: number; sealed: number }[];
  /** The last number of a note. */
  seq: number;
  damaged: number;
  /** How many records another key is needed for, and one such. */
  foreign: { count: number; key: string };
}

const MANY = 1_000;

const isEmpty = (path: string): boolean => !fs.existsSync(path) || fs.readdirSync(path).length === 0;

/** Whether the catalogue has to be made anew: somebody wishes it, or it is gone and what it named is there. */
export const needsRebuild = (layout: Layout): boolean =>
  fs.existsSync(layout.wish) ||
  (!fs.existsSync(layout.catalogue) && !(isEmpty(layout.segments) && isEmpty(layout.blobs)));

/** Writes the buckets to a file beside the catalogue, whole or not at all. */
export function writeBuckets(layout: Layout, buckets: readonly BucketRow[]): void {
  const path = `${layout.buckets}.new`;
  const file = fs.openSync(path, "w", 0o600);
  try {
    fs.writeSync(file, JSON.stringify(buckets));
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(path, layout.buckets);
  syncFolder(join(layout.buckets, ".."));
}

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

function readBuckets(layout: Layout): Omit<BucketRow, "size_bytes" | "object_count">[] | null {
  const given = fs.existsSync(layout.buckets) ? parseJson(fs.readFileSync(layout.buckets, "utf8")) : null;
  if (!Array.isArray(given)) return null;
  return given.flatMap((row: unknown) => {
    if (!isRecord(row)) return [];
    const { id, name, visibility, created_at } = row;
    if (typeof id !== "string" || typeof name !== "string" || typeof created_at !== "number") return [];
    const [cors, website] = [textOr(row["cors"]), textOr(row["website"])];
    const rest = { cors, website, lifecycle: textOr(row["lifecycle"]), tags: textOr(row["tags"]) };
    return [{ id, name, visibility: visibility === "public" ? "public" : "private", created_at, ...rest }];
  });
}

/** Reads all segments. */
function readSegments(db: Database, layout: Layout, vault: Vault): Found {
  const segments: Found["segments"] = [];
  const foreign = { count: 0, key: "" };
  let seq = 0;
  let damaged = 0;
  for (const name of fs.readdirSync(layout.segments)) {
    const id = Number(/^(\d+)\.seg$/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(id)) segments.push({ id, bytes: fs.statSync(layout.segment(id)).size, sealed: 0 });
  }
  segments.sort((a, b) => a.id - b.id);
  for (const one of segments) {
    const { id: segment, bytes } = one;
    const file = fs.openSync(layout.segment(segment), "r");
    try {
      db.transaction(() => {
        let plain = 0;
        for (const found of readRecords({ file, segment, vault }, 0, bytes)) {
          if (found.kind === "damaged") damaged += 1;
          if (found.kind === "foreign") {
            foreign.count += 1;
            foreign.key = found.key;
          }
          if (found.kind === "blob" || found.kind === "note") {
            if (found.sealed === 0) plain += 1;
            one.sealed = plain === 0 ? 1 : 0;
          }
          // What a crash left half written at the end is cut off, as it is at every start.
          const isTail = one === segments.at(-1) && found.kind === "damaged" && found.start + found.record === bytes;
          if (isTail) one.bytes = found.start;
          if (found.kind === "blob") store.saveFound(db, { ...found, segment });
          if (found.kind !== "note") continue;
          const { bucketId, blobs, at, ...object } = found.object;
          seq = Math.max(seq, found.seq);
          const note = { seq: found.seq, note_segment: segment, note_position: found.start, note_record: found.record };
          const row = { ...object, modified_at: at, blobs: JSON.stringify(blobs.map(({ id }) => id)), ...note };
          store.restoreObject(db, bucketId, row, blobs);
        }
      }).immediate();
    } finally {
      fs.closeSync(file);
    }
  }
  return { segments, seq, damaged, foreign };
}

/** Large blobs are files of their own. Where one lies there both ways, it is taken as it should be. */
function findFiles(db: Database, layout: Layout, on: boolean): void {
  const ways = on ? [1, 0] : [0, 1];
  for (let after = ""; ; ) {
    const wanted = store.listUnfound(db, after, MANY);
    const last = wanted.at(-1);
    if (last === undefined) return;
    after = last.id;
    for (const { id, size, crc } of wanted) {
      const sealed = ways.find((way) => fs.existsSync(layout.blob({ id, sealed: way })));
      if (sealed !== undefined) store.saveFound(db, { id, segment: null, position: 0, size, record: 0, crc, sealed });
    }
  }
}

/** Puts files aside that nothing is known of, since nobody can say whether somebody misses them. */
function putAside(db: Database, layout: Layout): number {
  let count = 0;
  for (const folder of fs.readdirSync(layout.blobs)) {
    for (const name of fs.readdirSync(join(layout.blobs, folder))) {
      const row = findBlob(db, readBlobFileName(name).id);
      // One that was being written anew is there twice; the start takes the other away.
      if (row !== null) continue;
      fs.mkdirSync(layout.unclaimed, { recursive: true, mode: 0o700 });
      fs.renameSync(join(layout.blobs, folder, name), join(layout.unclaimed, name));
      count += 1;
    }
  }
  return count;
}

/**
 * Makes the catalogue anew from what the segments say, while nobody has it open. The old one, if there is one, stays beside it under another name.
 * Uploads that were not finished are gone; all else that was acknowledged is there, unless its bytes or its note are damaged. Throws, and
 * leaves all as it is, where another key is needed to read them: what cannot be read would pass for what nobody needs.
 */
export function rebuildCatalogue(layout: Layout, vault: Vault, at: string): Rebuilt {
  const path = `${layout.catalogue}.new`;
  for (const end of ["", "-wal", "-shm"]) fs.rmSync(path + end, { force: true });
  const db = openDatabase(path);
  let rebuilt: Rebuilt;
  try {
    migrate(db, catalogueMigrations, at, () => {});
    store.makeFindings(db);
    const { segments, seq, damaged, foreign } = readSegments(db, layout, vault);
    if (foreign.count > 0)
      throw new Error(`${foreign.count} records of its segments: ${wordsOfKey(foreign.key, vault.id)}`);
    const on = fs.existsSync(layout.sealing);
    findFiles(db, layout, on);
    rebuilt = db
      .transaction(() => {
        const buckets = readBuckets(layout);
        for (const bucket of buckets ?? []) store.restoreBucket(db, bucket);
        // Without the list nobody knows which buckets were removed, nor their names: what is there is shown to admins alone.
        const nameless = buckets === null ? store.listNameless(db) : [];
        for (const [index, id] of nameless.entries()) {
          const settings = { cors: null, website: null, lifecycle: null, tags: null };
          const name = `recovered-${index + 1}`;
          store.restoreBucket(db, { id, name, visibility: "private", created_at: Date.parse(at), ...settings });
        }
        store.dropForeign(db);
        const { names, count } = store.dropLost(db, 100);
        store.settle(db, segments, seq);
        switchSealing(db, on, vault.id);
        return { objects: store.countObjects(db), lost: count, lostNames: names, damaged, unclaimed: 0 };
      })
      .immediate();
    rebuilt.unclaimed = putAside(db, layout);
  } finally {
    closeDatabase(db);
  }
  const aside = `${layout.catalogue}.${at.replaceAll(":", "-")}`;
  for (const end of ["", "-wal", "-shm"])
    if (fs.existsSync(layout.catalogue + end)) fs.renameSync(layout.catalogue + end, `${aside}${end}`);
  fs.renameSync(path, layout.catalogue);
  fs.rmSync(layout.wish, { force: true });
  syncFolder(join(layout.catalogue, ".."));
  return rebuilt;
}

/** The same in words. */
export function tellRebuilt({ objects, lost, lostNames, damaged, unclaimed }: Rebuilt): string[] {
  const words = [`the catalogue was made anew from the segments: ${objects} objects are there`];
  if (lost > 0) words.push(`the bytes of ${lost} objects are nowhere: ${lostNames.join(", ")}`);
  if (damaged > 0) words.push(`${damaged} places in the segments could not be read`);
  if (unclaimed > 0) words.push(`${unclaimed} files that no object has were moved to unclaimed/`);
  return words;
}

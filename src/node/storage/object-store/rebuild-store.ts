import type { Database } from "bun:sqlite";
import { type BlobRow, type BucketRow, type NoteRow, type ObjectRow, valuesOf } from "./catalogue-store.ts";

/** What was found in the segments while a catalogue is made anew; on disk, since it may be much. `settle` takes it away. */
export function makeFindings(db: Database): void {
  db.run(`CREATE TABLE found_bytes (
    id TEXT PRIMARY KEY, segment INTEGER, position INTEGER NOT NULL, size INTEGER NOT NULL,
    record INTEGER NOT NULL, crc INTEGER NOT NULL, sealed INTEGER NOT NULL) STRICT, WITHOUT ROWID`);
  db.run(`CREATE TABLE wanted (
    bucket_id TEXT NOT NULL, key BLOB NOT NULL, place INTEGER NOT NULL,
    id TEXT NOT NULL, size INTEGER NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (bucket_id, key, place)) STRICT, WITHOUT ROWID`);
  db.run("CREATE INDEX wanted_id ON wanted (id)");
  db.run(`CREATE TABLE found_notes (
    segment INTEGER NOT NULL, position INTEGER NOT NULL, bucket_id TEXT NOT NULL, key BLOB NOT NULL,
    PRIMARY KEY (segment, position)) STRICT, WITHOUT ROWID`);
}

/** Bytes of a blob and where they are. */
type FoundBytes = Omit<BlobRow, "refs">;

export function saveFound(db: Database, { id, segment, position, size, record, crc, sealed }: FoundBytes): void {
  db.query(
    "INSERT OR REPLACE INTO found_bytes (id, segment, position, size, record, crc, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(id, segment, position, size, record, crc, sealed);
}

export function restoreBucket(db: Database, row: Omit<BucketRow, "size_bytes" | "object_count">): void {
  db.query(
    `INSERT OR IGNORE INTO buckets (id, name, visibility, created_at, cors, website, lifecycle, tags)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(row.id, row.name, row.visibility, row.created_at, row.cors, row.website, row.lifecycle, row.tags);
}

/** Keeps what a note says unless a later one is known. */
export function restoreObject(
  db: Database,
  bucketId: string,
  row: ObjectRow & NoteRow,
  blobs: readonly { id: string; size: number; crc: number }[],
): void {
  db.query("INSERT INTO found_notes (segment, position, bucket_id, key) VALUES (?, ?, ?, ?)").run(
    row.note_segment,
    row.note_position,
    bucketId,
    row.key,
  );
  const { changes } = db
    .query(
      `INSERT INTO objects (bucket_id, key, size, etag, modified_at, facts, blobs, seq, note_segment, note_position, note_record)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
       ON CONFLICT (bucket_id, key) DO UPDATE SET size = ?3, etag = ?4, modified_at = ?5, facts = ?6, blobs = ?7, seq = ?8,
         note_segment = ?9, note_position = ?10, note_record = ?11 WHERE seq < ?8`,
    )
    .run(...valuesOf(bucketId, row));
  if (changes === 0) return;
  db.query("DELETE FROM wanted WHERE bucket_id = ? AND key = ?").run(bucketId, row.key);
  for (const [place, { id, size, crc }] of blobs.entries())
    db.query("INSERT INTO wanted (bucket_id, key, place, id, size, crc) VALUES (?, ?, ?, ?, ?, ?)").run(
      bucketId,
      row.key,
      place,
      id,
      size,
      crc,
    );
}

/** Blobs that objects want and that no segment has: they should be files. */
export const listUnfound = (db: Database, after: string, limit: number): { id: string; size: number; crc: number }[] =>
  db
    .query<{ id: string; size: number; crc: number }, [string, number]>(
      `SELECT DISTINCT id, size, crc FROM wanted WHERE id > ? AND id NOT IN (SELECT id FROM found_bytes) ORDER BY id LIMIT ?`,
    )
    .all(after, limit);

/** Ids of buckets that objects name and nothing else does. */
export const listNameless = (db: Database): string[] =>
  db
    .query<{ bucket_id: string }, []>(
      "SELECT DISTINCT bucket_id FROM objects WHERE bucket_id NOT IN (SELECT id FROM buckets)",
    )
    .all()
    .map(({ bucket_id }) => bucket_id);

/** Takes out objects of buckets that are gone, and has notes that count no more struck out, so that none of them comes back. */
export function dropForeign(db: Database): void {
  db.run("DELETE FROM objects WHERE bucket_id NOT IN (SELECT id FROM buckets)");
  db.run(`INSERT INTO dead_notes (segment, position) SELECT segment, position FROM found_notes
    WHERE NOT EXISTS (SELECT 1 FROM objects WHERE objects.bucket_id = found_notes.bucket_id AND objects.key = found_notes.key
      AND note_segment = segment AND note_position = position)`);
}

const LOST = `EXISTS (SELECT 1 FROM wanted WHERE wanted.bucket_id = objects.bucket_id AND wanted.key = objects.key
  AND wanted.id NOT IN (SELECT id FROM found_bytes))`;

/** Takes out objects whose bytes are nowhere; some of their names, and how many they are. */
export function dropLost(db: Database, limit: number): { names: string[]; count: number } {
  const names = db
    .query<{ bucket: string; key: Uint8Array }, [number]>(
      `SELECT buckets.name AS bucket, key FROM objects JOIN buckets ON buckets.id = bucket_id WHERE ${LOST} LIMIT ?`,
    )
    .all(limit)
    .map(({ bucket, key }) => `${bucket}/${Buffer.from(key).toString("utf8")}`);
  return { names, count: db.run(`DELETE FROM objects WHERE ${LOST}`).changes };
}

/** Works out all that follows from the objects: their blobs, the sizes of buckets, and what of the segments counts. */
export function settle(
  db: Database,
  segments: readonly { id: number; bytes: number; sealed: number }[],
  seq: number,
): void {
  db.run(`INSERT INTO blobs (id, segment, position, size, record, crc, sealed, refs)
    SELECT id, segment, position, found_bytes.size, record, found_bytes.crc, sealed, count(*) FROM found_bytes
    JOIN wanted USING (id) JOIN objects USING (bucket_id, key) GROUP BY id`);
  db.run(`UPDATE buckets SET
    size_bytes = (SELECT coalesce(sum(size), 0) FROM objects WHERE bucket_id = buckets.id),
    object_count = (SELECT count(*) FROM objects WHERE bucket_id = buckets.id)`);
  for (const { id, bytes, sealed } of segments)
    db.query(
      `INSERT INTO segments (id, bytes, sealed, live_bytes) SELECT ?1, ?2, ?3,
        (SELECT coalesce(sum(record), 0) FROM blobs WHERE segment = ?1)
        + (SELECT coalesce(sum(note_record), 0) FROM objects WHERE note_segment = ?1)`,
    ).run(id, bytes, sealed);
  db.query("INSERT OR REPLACE INTO state (name, value) VALUES ('seq', ?)").run(String(seq));
  db.run("DROP TABLE found_bytes");
  db.run("DROP TABLE wanted");
  db.run("DROP TABLE found_notes");
}

export const countObjects = (db: Database): number =>
  db.query<{ count: number }, []>("SELECT count(*) AS count FROM objects").get()?.count ?? 0;

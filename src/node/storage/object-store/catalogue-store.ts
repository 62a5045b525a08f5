import type { Database } from "bun:sqlite";

/** A row of `buckets`. */
export interface BucketRow {
  id: string;
  name: string;
  visibility: string;
  created_at: number;
  size_bytes: number;
  object_count: number;
  cors: string | null;
  website: string | null;
  lifecycle: string | null;
  /** Values by their names, as JSON. */
  tags: string | null;
}

/** What of a bucket can be changed. */
export type BucketSet = Pick<BucketRow, "visibility" | "cors" | "website" | "lifecycle" | "tags">;

/** A row of `objects`. */
export interface ObjectRow {
  key: Uint8Array;
  size: number;
  etag: string;
  modified_at: number;
  facts: string;
  /** Ids as JSON. */
  blobs: string;
}

/** What a list shows of an object. */
export type ListedRow = Pick<ObjectRow, "key" | "size" | "etag" | "modified_at">;

/** A row of `blobs`. */
export interface BlobRow {
  id: string;
  segment: number | null;
  position: number;
  size: number;
  /** How much of the segment it takes. */
  record: number;
  crc: number;
  refs: number;
  /** 1 where its bytes lie encrypted. */
  sealed: number;
}

/** Where a record is in the segments. */
export interface Place {
  segment: number;
  position: number;
  record: number;
}

/** Where a blob's bytes are, and whether they are encrypted there. */
export type BlobPlace = Place & Pick<BlobRow, "sealed">;

export interface SegmentRow {
  id: number;
  bytes: number;
  live_bytes: number;
  /** 1 where all that it holds is encrypted. */
  sealed: number;
}

/** Where the note about an object lies, and its number. */
export interface NoteRow {
  seq: number;
  note_segment: number | null;
  note_position: number;
  note_record: number;
}

const OBJECT = "SELECT key, size, etag, modified_at, facts, blobs FROM objects WHERE bucket_id = ? AND key = ?";

/** False in a file whose tables are still to be made. */
export const hasTables = (db: Database): boolean =>
  db.query("SELECT 1 FROM sqlite_master WHERE name = 'buckets'").get() !== null;

/** Objects after a key in the order of their bytes, with all that is known of them. */
export const listWhole = (db: Database, bucketId: string, after: Uint8Array, limit: number): ObjectRow[] =>
  db
    .query<ObjectRow, [string, Uint8Array, number]>(
      `SELECT key, size, etag, modified_at, facts, blobs FROM objects
       WHERE bucket_id = ? AND key > ? ORDER BY key LIMIT ?`,
    )
    .all(bucketId, after, limit);

export const listBuckets = (db: Database): BucketRow[] =>
  db.query<BucketRow, []>("SELECT * FROM buckets ORDER BY name").all();

export const findBucket = (db: Database, name: string): BucketRow | null =>
  db.query<BucketRow, [string]>("SELECT * FROM buckets WHERE name = ?").get(name);

export const findBucketById = (db: Database, id: string): BucketRow | null =>
  db.query<BucketRow, [string]>("SELECT * FROM buckets WHERE id = ?").get(id);

export function insertBucket(
  db: Database,
  { id, name, visibility, created_at }: Pick<BucketRow, "id" | "name" | "visibility" | "created_at">,
): void {
  db.query("INSERT INTO buckets (id, name, visibility, created_at) VALUES (?, ?, ?, ?)").run(
    id,
    name,
    visibility,
    created_at,
  );
}

export const deleteBucket = (db: Database, id: string): void =>
  void db.query("DELETE FROM buckets WHERE id = ?").run(id);

export function updateBucket(
  db: Database,
  id: string,
  { visibility, cors, website, lifecycle, tags }: BucketSet,
): void {
  db.query("UPDATE buckets SET visibility = ?, cors = ?, website = ?, lifecycle = ?, tags = ? WHERE id = ?").run(
    visibility,
    cors,
    website,
    lifecycle,
    tags,
    id,
  );
}

export const renameBucket = (db: Database, id: string, name: string): void =>
  void db.query("UPDATE buckets SET name = ? WHERE id = ?").run(name, id);

export function countIn(db: Database, id: string, bytes: number, objects: number): void {
  db.query("UPDATE buckets SET size_bytes = size_bytes + ?, object_count = object_count + ? WHERE id = ?").run(
    bytes,
    objects,
    id,
  );
}

export const findObject = (db: Database, bucketId: string, key: Uint8Array): ObjectRow | null =>
  db.query<ObjectRow, [string, Uint8Array]>(OBJECT).get(bucketId, key);

/** How many blobs an object is made of: none where there is no object. */
export const countParts = (db: Database, bucketId: string, key: Uint8Array): number =>
  db
    .query<{ parts: number }, [string, Uint8Array]>(
      "SELECT json_array_length(blobs) AS parts FROM objects WHERE bucket_id = ? AND key = ?",
    )
    .get(bucketId, key)?.parts ?? 0;

/** An object as the writer sees it, with its note. */
export const findNoted = (db: Database, bucketId: string, key: Uint8Array): (ObjectRow & NoteRow) | null =>
  db
    .query<ObjectRow & NoteRow, [string, Uint8Array]>("SELECT * FROM objects WHERE bucket_id = ? AND key = ?")
    .get(bucketId, key);

/** What a row of `objects` holds, in the order of its columns. */
export const valuesOf = (bucketId: string, row: ObjectRow & NoteRow) =>
  [
    bucketId,
    row.key,
    row.size,
    row.etag,
    row.modified_at,
    row.facts,
    row.blobs,
    row.seq,
    row.note_segment,
    row.note_position,
    row.note_record,
  ] as const;

export function saveObject(db: Database, bucketId: string, row: ObjectRow & NoteRow): void {
  db.query(
    `INSERT OR REPLACE INTO objects (bucket_id, key, size, etag, modified_at, facts, blobs, seq, note_segment,
      note_position, note_record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(...valuesOf(bucketId, row));
}

export function deleteObject(db: Database, bucketId: string, key: Uint8Array): void {
  db.query("DELETE FROM objects WHERE bucket_id = ? AND key = ?").run(bucketId, key);
}

/** Objects from `from` on (or after it) in the order of their bytes. */
export function listObjects(
  db: Database,
  bucketId: string,
  { from, isAfter, limit }: { from: Uint8Array; isAfter: boolean; limit: number },
): ListedRow[] {
  const sql = `SELECT key, size, etag, modified_at FROM objects
    WHERE bucket_id = ? AND key ${isAfter ? ">" : ">="} ? ORDER BY key LIMIT ?`;
  return db.query<ListedRow, [string, Uint8Array, number]>(sql).all(bucketId, from, limit);
}

export const findBlob = (db: Database, id: string): BlobRow | null =>
  db.query<BlobRow, [string]>("SELECT * FROM blobs WHERE id = ?").get(id);

/** Where those of these blobs lie that are here; `at` is the place in the list. */
export const listPlaces = (
  db: Database,
  ids: readonly string[],
): ({ at: number } & Pick<BlobRow, "size" | "position" | "segment" | "crc" | "sealed">)[] =>
  db
    .query<{ at: number } & BlobRow, [string]>(
      `SELECT j.key AS at, b.size, b.position, b.segment, b.crc, b.sealed
       FROM json_each(?) j JOIN blobs b ON b.id = j.value`,
    )
    .all(JSON.stringify(ids));

export function insertBlob(db: Database, row: Omit<BlobRow, "refs">): void {
  const { id, segment, position, size, record, crc, sealed } = row;
  db.query(
    "INSERT INTO blobs (id, segment, position, size, record, crc, sealed, refs) VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
  ).run(id, segment, position, size, record, crc, sealed);
}

/** Changes how many refer to it; the row as it is then, null for an unknown one. */
export const referBlob = (db: Database, id: string, by: 1 | -1): BlobRow | null =>
  db.query<BlobRow, [number, string]>("UPDATE blobs SET refs = refs + ? WHERE id = ? RETURNING *").get(by, id);

export const deleteBlob = (db: Database, id: string): void => void db.query("DELETE FROM blobs WHERE id = ?").run(id);

export function moveBlob(db: Database, id: string, { segment, position, record, sealed }: BlobPlace): void {
  db.query("UPDATE blobs SET segment = ?, position = ?, record = ?, sealed = ? WHERE id = ?").run(
    segment,
    position,
    record,
    sealed,
    id,
  );
}

export const listBlobsOf = (db: Database, segment: number): BlobRow[] =>
  db.query<BlobRow, [number]>("SELECT * FROM blobs WHERE segment = ? ORDER BY position").all(segment);

export const hasBlobsOf = (db: Database, segment: number): boolean =>
  db.query("SELECT 1 FROM blobs WHERE segment = ? LIMIT 1").get(segment) !== null;

export const listSegments = (db: Database): SegmentRow[] =>
  db.query<SegmentRow, []>("SELECT * FROM segments ORDER BY id").all();

/** Notes how long a segment is now, and whether it is an encrypted one. */
export function growSegment(db: Database, id: number, bytes: number, sealed: number): void {
  db.query(
    `INSERT INTO segments (id, bytes, live_bytes, sealed) VALUES (?1, ?2, 0, ?3)
     ON CONFLICT (id) DO UPDATE SET bytes = ?2, sealed = ?3`,
  ).run(id, bytes, sealed);
}

/** More of a segment counts, or less; one that was never counted is noted with its length later. */
export function countLive(db: Database, id: number, by: number): void {
  db.query(
    `INSERT INTO segments (id, bytes, live_bytes) VALUES (?1, 0, ?2)
     ON CONFLICT (id) DO UPDATE SET live_bytes = live_bytes + ?2`,
  ).run(id, by);
}

export const deleteSegment = (db: Database, id: number): void =>
  void db.query("DELETE FROM segments WHERE id = ?").run(id);

export const addGarbage = (db: Database, path: string): void =>
  void db.query("INSERT OR IGNORE INTO garbage (path) VALUES (?)").run(path);

export const GARBAGE_PAGE = 1_000;

/** Up to `GARBAGE_PAGE` files that nothing refers to any more, after a path. */
export const listGarbage = (db: Database, after = ""): string[] =>
  db
    .query<{ path: string }, [string, number]>("SELECT path FROM garbage WHERE path > ? ORDER BY path LIMIT ?")
    .all(after, GARBAGE_PAGE)
    .map(({ path }) => path);

export const isGarbage = (db: Database, path: string): boolean =>
  db.query("SELECT 1 FROM garbage WHERE path = ?").get(path) !== null;

/** Forgets what was still to be done with segments that are gone, whose numbers may be given anew, and with their files in `folder`. */
export function forgetGoneSegments(db: Database, folder: string): void {
  db.query("DELETE FROM garbage WHERE substr(path, 1, length(?1)) = ?1").run(`${folder}/`);
  db.run("DELETE FROM dead_notes WHERE segment NOT IN (SELECT id FROM segments)");
}

export const deleteGarbage = (db: Database, path: string): void =>
  void db.query("DELETE FROM garbage WHERE path = ?").run(path);

/** The first objects whose note is still to be written. */
export const listUnnoted = (db: Database, limit: number): ({ bucket_id: string } & ObjectRow & NoteRow)[] =>
  db
    .query<{ bucket_id: string } & ObjectRow & NoteRow, [number]>(
      "SELECT * FROM objects WHERE note_segment IS NULL ORDER BY bucket_id, key LIMIT ?",
    )
    .all(limit);

/** Forgets where the notes in a segment were, after it could not be read. */
export const forgetNotesIn = (db: Database, segment: number): void =>
  void db.query("UPDATE objects SET note_segment = NULL WHERE note_segment = ?").run(segment);

export const addDeadNote = (db: Database, segment: number, position: number): void =>
  void db.query("INSERT OR IGNORE INTO dead_notes (segment, position) VALUES (?, ?)").run(segment, position);

export const listDeadNotes = (db: Database, limit: number): { segment: number; position: number }[] =>
  db
    .query<{ segment: number; position: number }, [number]>(
      "SELECT segment, position FROM dead_notes ORDER BY segment, position LIMIT ?",
    )
    .all(limit);

export const deleteDeadNote = (db: Database, segment: number, position: number): void =>
  void db.query("DELETE FROM dead_notes WHERE segment = ? AND position = ?").run(segment, position);

export const readState = (db: Database, name: string): string | null =>
  db.query<{ value: string }, [string]>("SELECT value FROM state WHERE name = ?").get(name)?.value ?? null;

export const saveState = (db: Database, name: string, value: string): void =>
  void db.query("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)").run(name, value);

/** Blobs after an id, in the order of ids. */
export const listBlobs = (db: Database, after: string, limit: number): BlobRow[] =>
  db.query<BlobRow, [string, number]>("SELECT * FROM blobs WHERE id > ? ORDER BY id LIMIT ?").all(after, limit);

/** How many bytes all blobs have together. */
export const sumBlobs = (db: Database): number =>
  db.query<{ bytes: number }, []>("SELECT coalesce(sum(size), 0) AS bytes FROM blobs").get()?.bytes ?? 0;

export interface DamageRow {
  blob_id: string;
  found_at: number;
  reason: string;
  /** Names as JSON. */
  objects: string;
}

export const listDamage = (db: Database, limit: number): DamageRow[] =>
  db.query<DamageRow, [number]>("SELECT * FROM damage ORDER BY found_at, blob_id LIMIT ?").all(limit);

export const countDamage = (db: Database): number =>
  db.query<{ count: number }, []>("SELECT count(*) AS count FROM damage").get()?.count ?? 0;

export const saveDamage = (db: Database, { blob_id, found_at, reason, objects }: DamageRow): void =>
  void db
    .query(
      `INSERT INTO damage (blob_id, found_at, reason, objects) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (blob_id) DO UPDATE SET reason = ?3, objects = ?4`,
    )
    .run(blob_id, found_at, reason, objects);

export const deleteDamage = (db: Database, blobId: string): void =>
  void db.query("DELETE FROM damage WHERE blob_id = ?").run(blobId);

/** Objects that are made of these blobs. Looks at every object, so it is for the few that are damaged. */
export const listUsers = (
  db: Database,
  blobIds: readonly string[],
  limit: number,
): { bucket: string; key: Uint8Array; etag: string; blobs: string }[] =>
  db
    .query<{ bucket: string; key: Uint8Array; etag: string; blobs: string }, [string, number]>(
      `SELECT buckets.name AS bucket, key, etag, blobs FROM objects JOIN buckets ON buckets.id = bucket_id
       WHERE EXISTS (SELECT 1 FROM json_each(objects.blobs) AS own WHERE own.value IN (SELECT value FROM json_each(?)))
       LIMIT ?`,
    )
    .all(JSON.stringify(blobIds), limit);

/** What is on its way into the store in parts. */
import type { Database } from "bun:sqlite";

/** A row of `uploads`. */
export interface UploadRow {
  id: string;
  bucket_id: string;
  key: Uint8Array;
  started_at: number;
  facts: string;
}

/** A row of `parts`. */
export interface PartRow {
  number: number;
  size: number;
  etag: string;
  modified_at: number;
  blobs: string;
  /** In base64, by the algorithm that the upload asked for. */
  sum: string | null;
}

export function insertUpload(db: Database, { id, bucket_id, key, started_at, facts }: UploadRow): void {
  db.query("INSERT INTO uploads (id, bucket_id, key, started_at, facts) VALUES (?, ?, ?, ?, ?)").run(
    id,
    bucket_id,
    key,
    started_at,
    facts,
  );
}

export const findUpload = (db: Database, id: string): UploadRow | null =>
  db.query<UploadRow, [string]>("SELECT * FROM uploads WHERE id = ?").get(id);

/** Uploads of a bucket that are not finished, from the place after (key, id) on. */
export const listUploads = (
  db: Database,
  bucketId: string,
  { key, id, limit }: { key: Uint8Array; id: string; limit: number },
): UploadRow[] =>
  db
    .query<UploadRow, [string, Uint8Array, string, number]>(
      "SELECT * FROM uploads WHERE bucket_id = ? AND (key, id) > (?, ?) ORDER BY key, id LIMIT ?",
    )
    .all(bucketId, key, id, limit);

export const deleteUpload = (db: Database, id: string): void =>
  void db.query("DELETE FROM uploads WHERE id = ?").run(id);

export const listParts = (db: Database, uploadId: string): PartRow[] =>
  db
    .query<PartRow, [string]>(
      "SELECT number, size, etag, modified_at, blobs, sum FROM parts WHERE upload_id = ? ORDER BY number",
    )
    .all(uploadId);

export function savePart(db: Database, uploadId: string, row: PartRow): void {
  db.query(
    "INSERT OR REPLACE INTO parts (upload_id, number, size, etag, modified_at, blobs, sum) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(uploadId, row.number, row.size, row.etag, row.modified_at, row.blobs, row.sum);
}

export const findPart = (db: Database, uploadId: string, number: number): PartRow | null =>
  db
    .query<PartRow, [string, number]>(
      "SELECT number, size, etag, modified_at, blobs, sum FROM parts WHERE upload_id = ? AND number = ?",
    )
    .get(uploadId, number);

export const deleteParts = (db: Database, uploadId: string): void =>
  void db.query("DELETE FROM parts WHERE upload_id = ?").run(uploadId);

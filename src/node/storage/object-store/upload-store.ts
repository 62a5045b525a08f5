/** What is on its way into the store in parts. */
import type { Database } from "bun:sqlite";
import { endOf } from "./list-page.ts";

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

/** Where uploads are listed from: the place after (key, id), of those whose keys begin with `prefix`. */
export interface UploadPlace {
  key: Uint8Array;
  id: string;
  prefix?: Uint8Array;
  limit: number;
}

/** Comes after all keys, which are UTF-8. */
const END = Uint8Array.of(0xff);

/** Uploads of a bucket that are not finished, in the order of their keys and ids. */
export function listUploads(db: Database, bucketId: string, { key, id, prefix, limit }: UploadPlace): UploadRow[] {
  const sql = "SELECT * FROM uploads WHERE bucket_id = ? AND (key, id) > (?, ?) AND key < ? ORDER BY key, id LIMIT ?";
  const isBefore = prefix !== undefined && Buffer.compare(key, prefix) < 0;
  const place = isBefore ? ([prefix, ""] as const) : ([key, id] as const);
  const end = (prefix === undefined ? null : endOf(prefix)) ?? END;
  return db.query<UploadRow, [string, Uint8Array, string, Uint8Array, number]>(sql).all(bucketId, ...place, end, limit);
}

export const deleteUpload = (db: Database, id: string): void =>
  void db.query("DELETE FROM uploads WHERE id = ?").run(id);

/** Parts of an upload in their order: all, or up to `limit` after a number. */
export const listParts = (db: Database, uploadId: string, { after = 0, limit = -1 } = {}): PartRow[] =>
  db
    .query<PartRow, [string, number, number]>(
      "SELECT number, size, etag, modified_at, blobs, sum FROM parts WHERE upload_id = ? AND number > ? ORDER BY number LIMIT ?",
    )
    .all(uploadId, after, limit);

export const countParts = (db: Database, uploadId: string): number =>
  db.query<{ parts: number }, [string]>("SELECT COUNT(*) AS parts FROM parts WHERE upload_id = ?").get(uploadId)
    ?.parts ?? 0;

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

/** What is asked of a copied catalogue alone. */
import type { Database } from "bun:sqlite";
import type { BlobRow, ObjectRow } from "./catalogue-store.ts";

/** Blobs that are files of their own, by id, after one. */
export const listFileBlobs = (db: Database, afterId: string, limit: number): BlobRow[] =>
  db
    .query<BlobRow, [string, number]>("SELECT * FROM blobs WHERE segment IS NULL AND id > ? ORDER BY id LIMIT ?")
    .all(afterId, limit);

/** Blobs of a segment by their place in it, after one. */
export const listBlobsFrom = (db: Database, segment: number, after: number, limit: number): BlobRow[] =>
  db
    .query<BlobRow, [number, number, number]>(
      "SELECT * FROM blobs WHERE segment = ? AND position > ? ORDER BY position LIMIT ?",
    )
    .all(segment, after, limit);

/** Objects of a bucket after a key, with all that is known of them. */
export const listWholeObjects = (db: Database, bucketId: string, afterKey: Uint8Array, limit: number): ObjectRow[] =>
  db
    .query<ObjectRow, [string, Uint8Array, number]>(
      `SELECT key, size, etag, modified_at, facts, blobs FROM objects
       WHERE bucket_id = ? AND key > ? ORDER BY key LIMIT ?`,
    )
    .all(bucketId, afterKey, limit);

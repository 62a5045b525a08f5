import type { Store } from "../../../kernel/db/store.ts";

/** A row of `object_keys`. */
export interface KeyRow {
  access_key: string;
  name: string;
  /** Sealed. */
  secret: string;
  created_at: string;
}

/** A row of `object_grants`. */
export interface GrantRow {
  access_key: string;
  bucket_id: string;
  may_read: number;
  may_write: number;
  is_owner: number;
}

export const listKeys = (db: Store): KeyRow[] =>
  db.raw.query<KeyRow, []>("SELECT * FROM object_keys ORDER BY created_at, access_key").all();

export const findKey = (db: Store, accessKey: string): KeyRow | null =>
  db.raw.query<KeyRow, [string]>("SELECT * FROM object_keys WHERE access_key = ?").get(accessKey);

export const listGrants = (db: Store): GrantRow[] =>
  db.raw.query<GrantRow, []>("SELECT * FROM object_grants ORDER BY access_key, bucket_id").all();

export function insertKey(db: Store, { access_key, name, secret, created_at }: KeyRow): void {
  db.raw
    .query("INSERT INTO object_keys (access_key, name, secret, created_at) VALUES (?, ?, ?, ?)")
    .run(access_key, name, secret, created_at);
}

export function insertGrant(db: Store, { access_key, bucket_id, may_read, may_write, is_owner }: GrantRow): void {
  db.raw
    .query("INSERT INTO object_grants (access_key, bucket_id, may_read, may_write, is_owner) VALUES (?, ?, ?, ?, ?)")
    .run(access_key, bucket_id, may_read, may_write, is_owner);
}

export const deleteKey = (db: Store, accessKey: string): void =>
  void db.raw.query("DELETE FROM object_keys WHERE access_key = ?").run(accessKey);

export const deleteGrantsOf = (db: Store, bucketId: string): void =>
  void db.raw.query("DELETE FROM object_grants WHERE bucket_id = ?").run(bucketId);

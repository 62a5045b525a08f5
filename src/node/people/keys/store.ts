import type { Store } from "../../../kernel/db/store.ts";

/** A row of `api_keys`; `expires_at` and `last_used_at` in milliseconds. */
export interface KeyRow {
  id: string;
  user_id: string;
  name: string;
  scopes: string;
  secret_hash: string;
  created_at: string;
  expires_at: number | null;
  last_used_at: number | null;
  /** The key that made it, with which it ends. */
  parent_key_id: string | null;
  /** The paired device that made it, with which it ends. */
  parent_device_id: string | null;
}

export function insertKey(db: Store, row: Omit<KeyRow, "last_used_at">): void {
  db.raw
    .query(
      `INSERT INTO api_keys (id, user_id, name, scopes, secret_hash, created_at, expires_at, parent_key_id, parent_device_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.user_id,
      row.name,
      row.scopes,
      row.secret_hash,
      row.created_at,
      row.expires_at,
      row.parent_key_id,
      row.parent_device_id,
    );
}

export function findKeyByHash(db: Store, secretHash: string): KeyRow | null {
  return db.raw.query<KeyRow, [string]>("SELECT * FROM api_keys WHERE secret_hash = ?").get(secretHash);
}

export function listKeys(db: Store, userId: string): KeyRow[] {
  const sql = "SELECT * FROM api_keys WHERE user_id = ? ORDER BY created_at DESC, id DESC";
  return db.raw.query<KeyRow, [string]>(sql).all(userId);
}

/** A key of the user, then all that it made, and what those made; nothing when it is unknown or somebody else's. */
export function listWithMade(db: Store, userId: string, id: string): KeyRow[] {
  const sql = `WITH RECURSIVE line (id) AS (
      SELECT id FROM api_keys WHERE user_id = ?1 AND id = ?2
      UNION SELECT k.id FROM api_keys k JOIN line ON k.parent_key_id = line.id)
    SELECT k.* FROM line JOIN api_keys k ON k.id = line.id`;
  return db.raw.query<KeyRow, [string, string]>(sql).all(userId, id);
}

/** The keys that a paired device made itself. */
export function listKeysOfDevice(db: Store, deviceId: string): KeyRow[] {
  return db.raw.query<KeyRow, [string]>("SELECT * FROM api_keys WHERE parent_device_id = ?").all(deviceId);
}

/** Removes a key and what it made; false when it was gone before. */
export function deleteKey(db: Store, id: string): boolean {
  return db.raw.query("DELETE FROM api_keys WHERE id = ?").run(id).changes > 0;
}

export function touchKey(db: Store, id: string, now: number): void {
  db.raw.query("UPDATE api_keys SET last_used_at = ? WHERE id = ?").run(now, id);
}

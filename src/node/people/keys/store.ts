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
}

export function insertKey(db: Store, row: Omit<KeyRow, "last_used_at">): void {
  db.raw
    .query(
      `INSERT INTO api_keys (id, user_id, name, scopes, secret_hash, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.id, row.user_id, row.name, row.scopes, row.secret_hash, row.created_at, row.expires_at);
}

export function findKeyByHash(db: Store, secretHash: string): KeyRow | null {
  return db.raw.query<KeyRow, [string]>("SELECT * FROM api_keys WHERE secret_hash = ?").get(secretHash);
}

export function listKeys(db: Store, userId: string): KeyRow[] {
  const sql = "SELECT * FROM api_keys WHERE user_id = ? ORDER BY created_at DESC, id DESC";
  return db.raw.query<KeyRow, [string]>(sql).all(userId);
}

/** Removes a key of the user and returns what it was; null when it is unknown or somebody else's. */
export function deleteKey(db: Store, userId: string, id: string): KeyRow | null {
  const sql = "DELETE FROM api_keys WHERE user_id = ? AND id = ? RETURNING *";
  return db.raw.query<KeyRow, [string, string]>(sql).get(userId, id);
}

export function touchKey(db: Store, id: string, now: number): void {
  db.raw.query("UPDATE api_keys SET last_used_at = ? WHERE id = ?").run(now, id);
}

import type { Store } from "../../../kernel/db/store.ts";

/** A row of `dav_passwords`; times in milliseconds. */
export interface DavPasswordRow {
  id: string;
  user_id: string;
  name: string;
  secret_hash: string;
  created_at: number;
  last_used_at: number | null;
  /** The paired device that made it, with which it ends. */
  parent_device_id: string | null;
}

export const insertPassword = (db: Store, row: Omit<DavPasswordRow, "last_used_at">): void =>
  void db.raw
    .query(
      `INSERT INTO dav_passwords (id, user_id, name, secret_hash, created_at, parent_device_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(row.id, row.user_id, row.name, row.secret_hash, row.created_at, row.parent_device_id);

export const findByHash = (db: Store, secretHash: string): DavPasswordRow | null =>
  db.remember(`dav password ${secretHash}`, () =>
    db.raw.query<DavPasswordRow, [string]>("SELECT * FROM dav_passwords WHERE secret_hash = ?").get(secretHash),
  );

/** The passwords of a user, the newest first. */
export const listPasswords = (db: Store, userId: string): DavPasswordRow[] =>
  db.raw
    .query<DavPasswordRow, [string]>("SELECT * FROM dav_passwords WHERE user_id = ? ORDER BY created_at DESC, id DESC")
    .all(userId);

/** The passwords that a paired device made. */
export const listPasswordsOfDevice = (db: Store, deviceId: string): DavPasswordRow[] =>
  db.raw.query<DavPasswordRow, [string]>("SELECT * FROM dav_passwords WHERE parent_device_id = ?").all(deviceId);

export const deletePassword = (db: Store, id: string): void =>
  void db.raw.query("DELETE FROM dav_passwords WHERE id = ?").run(id);

export const touchPassword = (db: Store, id: string, at: number): void =>
  void db.raw.query("UPDATE dav_passwords SET last_used_at = ? WHERE id = ?").run(at, id);

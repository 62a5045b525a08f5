import type { Store } from "../../../kernel/db/store.ts";

export interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  /** base64url. */
  credential_id: string;
  public_key: Uint8Array<ArrayBuffer>;
  counter: number;
  /** JSON list. */
  transports: string;
  rp_id: string;
  created_at: string;
  last_used_at: string | null;
  /** The paired device that made it, with which it ends. */
  parent_device_id: string | null;
}

export function insertPasskey(db: Store, row: Omit<PasskeyRow, "last_used_at">): void {
  db.raw
    .query(
      `INSERT INTO passkeys
         (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at, parent_device_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.user_id,
      row.name,
      row.credential_id,
      row.public_key,
      row.counter,
      row.transports,
      row.rp_id,
      row.created_at,
      row.parent_device_id,
    );
}

export function listPasskeys(db: Store, userId: string): PasskeyRow[] {
  const sql = "SELECT * FROM passkeys WHERE user_id = ? ORDER BY created_at, id";
  return db.raw.query<PasskeyRow, [string]>(sql).all(userId);
}

/** The passkeys that a paired device made. */
export function listPasskeysOfDevice(db: Store, deviceId: string): PasskeyRow[] {
  return db.raw.query<PasskeyRow, [string]>("SELECT * FROM passkeys WHERE parent_device_id = ?").all(deviceId);
}

export function findByCredentialId(db: Store, credentialId: string): PasskeyRow | null {
  return db.raw.query<PasskeyRow, [string]>("SELECT * FROM passkeys WHERE credential_id = ?").get(credentialId);
}

/**
 * Moves the signature counter on and notes the use; false when it would go backwards or stand still.
 * Authenticators without a counter always send 0.
 */
export function advanceCounter(db: Store, id: string, counter: number, usedAt: string): boolean {
  const sql = `UPDATE passkeys SET counter = ?, last_used_at = ?
               WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))`;
  return db.raw.query(sql).run(counter, usedAt, id, counter, counter).changes === 1;
}

/** Renames a passkey of the user; null when it is unknown or somebody else's. */
export function renamePasskey(db: Store, userId: string, id: string, name: string): PasskeyRow | null {
  const sql = "UPDATE passkeys SET name = ? WHERE user_id = ? AND id = ? RETURNING *";
  return db.raw.query<PasskeyRow, [string, string, string]>(sql).get(name, userId, id);
}

/** Removes a passkey of the user and returns what it was; null when it is unknown or somebody else's. */
export function deletePasskey(db: Store, userId: string, id: string): PasskeyRow | null {
  const sql = "DELETE FROM passkeys WHERE user_id = ? AND id = ? RETURNING *";
  return db.raw.query<PasskeyRow, [string, string]>(sql).get(userId, id);
}

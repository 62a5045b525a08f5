import type { Store } from "../../../kernel/db/store.ts";

/** A row of `paired_devices`; `last_used_at` in milliseconds. */
export interface DeviceRow {
  id: string;
  user_id: string;
  name: string;
  token_hash: string;
  created_at: string;
  last_used_at: number | null;
}

export function insertDevice(db: Store, row: Omit<DeviceRow, "last_used_at">): void {
  db.raw
    .query("INSERT INTO paired_devices (id, user_id, name, token_hash, created_at) VALUES (?, ?, ?, ?, ?)")
    .run(row.id, row.user_id, row.name, row.token_hash, row.created_at);
}

export function findDeviceByHash(db: Store, tokenHash: string): DeviceRow | null {
  return db.raw.query<DeviceRow, [string]>("SELECT * FROM paired_devices WHERE token_hash = ?").get(tokenHash);
}

export function listDevices(db: Store, userId: string): DeviceRow[] {
  const sql = "SELECT * FROM paired_devices WHERE user_id = ? ORDER BY created_at DESC, id DESC";
  return db.raw.query<DeviceRow, [string]>(sql).all(userId);
}

export function countDevices(db: Store, userId: string): number {
  const sql = "SELECT count(*) AS count FROM paired_devices WHERE user_id = ?";
  return db.raw.query<{ count: number }, [string]>(sql).get(userId)?.count ?? 0;
}

/** Removes a device of the user and returns what it was; null when it is unknown or somebody else's. */
export function deleteDevice(db: Store, userId: string, id: string): DeviceRow | null {
  const sql = "DELETE FROM paired_devices WHERE user_id = ? AND id = ? RETURNING *";
  return db.raw.query<DeviceRow, [string, string]>(sql).get(userId, id);
}

export function touchDevice(db: Store, id: string, now: number): void {
  db.raw.query("UPDATE paired_devices SET last_used_at = ? WHERE id = ?").run(now, id);
}

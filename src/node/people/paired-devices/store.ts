import type { Store } from "../../../kernel/db/store.ts";

/** A row of `paired_devices`; `last_used_at` in milliseconds. */
export interface DeviceRow {
  id: string;
  user_id: string;
  name: string;
  token_hash: string;
  created_at: string;
  last_used_at: number | null;
  /** The app that let it in, with which it ends. */
  parent_device_id: string | null;
}

export function insertDevice(db: Store, row: Omit<DeviceRow, "last_used_at">): void {
  db.raw
    .query(
      "INSERT INTO paired_devices (id, user_id, name, token_hash, created_at, parent_device_id) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(row.id, row.user_id, row.name, row.token_hash, row.created_at, row.parent_device_id);
}

export function findDeviceByHash(db: Store, tokenHash: string): DeviceRow | null {
  return db.raw.query<DeviceRow, [string]>("SELECT * FROM paired_devices WHERE token_hash = ?").get(tokenHash);
}

/** A device of the user; null when it is unknown or somebody else's. */
export function findDevice(db: Store, userId: string, id: string): DeviceRow | null {
  const sql = "SELECT * FROM paired_devices WHERE user_id = ? AND id = ?";
  return db.raw.query<DeviceRow, [string, string]>(sql).get(userId, id);
}

export function listDevices(db: Store, userId: string): DeviceRow[] {
  const sql = "SELECT * FROM paired_devices WHERE user_id = ? ORDER BY created_at DESC, id DESC";
  return db.raw.query<DeviceRow, [string]>(sql).all(userId);
}

export function countDevices(db: Store, userId: string): number {
  const sql = "SELECT count(*) AS count FROM paired_devices WHERE user_id = ?";
  return db.raw.query<{ count: number }, [string]>(sql).get(userId)?.count ?? 0;
}

/** A device of the user, then all that it let in, and what those did; nothing when it is unknown or somebody else's. */
export function listWithLetIn(db: Store, userId: string, id: string): DeviceRow[] {
  const sql = `WITH RECURSIVE line (id) AS (
      SELECT id FROM paired_devices WHERE user_id = ?1 AND id = ?2
      UNION SELECT d.id FROM paired_devices d JOIN line ON d.parent_device_id = line.id)
    SELECT d.* FROM line JOIN paired_devices d ON d.id = line.id`;
  return db.raw.query<DeviceRow, [string, string]>(sql).all(userId, id);
}

/** The devices that a device let in, or a session that it had let in. */
export function listLetIn(db: Store, deviceId: string): DeviceRow[] {
  return db.raw.query<DeviceRow, [string]>("SELECT * FROM paired_devices WHERE parent_device_id = ?").all(deviceId);
}

/** Removes a device and what it let in. */
export function deleteDevice(db: Store, id: string): void {
  db.raw.query("DELETE FROM paired_devices WHERE id = ?").run(id);
}

export function touchDevice(db: Store, id: string, now: number): void {
  db.raw.query("UPDATE paired_devices SET last_used_at = ? WHERE id = ?").run(now, id);
}

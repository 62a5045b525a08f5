import type { Store } from "../../../kernel/db/store.ts";

/** A row of `invites`; `expires_at` in milliseconds. */
export interface InviteRow {
  user_id: string;
  /** Account that made the link. */
  made_by: string;
  token_hash: string;
  expires_at: number;
  /** The paired device that made it, with which it ends. */
  parent_device_id: string | null;
}

/** Keeps the one invitation of an account; an earlier one stops working. */
export function saveInvite(db: Store, row: InviteRow): void {
  db.raw
    .query(
      "INSERT OR REPLACE INTO invites (user_id, made_by, token_hash, expires_at, parent_device_id) VALUES (?, ?, ?, ?, ?)",
    )
    .run(row.user_id, row.made_by, row.token_hash, row.expires_at, row.parent_device_id);
}

export function findInvite(db: Store, tokenHash: string): InviteRow | null {
  return db.raw.query<InviteRow, [string]>("SELECT * FROM invites WHERE token_hash = ?").get(tokenHash);
}

/** How many links could still give an account another password: one or none. */
export function countInvites(db: Store, userId: string): number {
  const sql = "SELECT count(*) AS count FROM invites WHERE user_id = ?";
  return db.raw.query<{ count: number }, [string]>(sql).get(userId)?.count ?? 0;
}

/** Ends the link of an account and those that it made, and tells how many there were. */
export function deleteInvitesOf(db: Store, userId: string): number {
  return db.raw.query("DELETE FROM invites WHERE user_id = ?1 OR made_by = ?1").run(userId).changes;
}

/** Ends the links that a paired device made. */
export function deleteInvitesOfDevice(db: Store, deviceId: string): void {
  db.raw.query("DELETE FROM invites WHERE parent_device_id = ?").run(deviceId);
}

/** Uses an invitation up; true for the one caller that did. */
export function deleteInvite(db: Store, tokenHash: string): boolean {
  return db.raw.query("DELETE FROM invites WHERE token_hash = ?").run(tokenHash).changes === 1;
}

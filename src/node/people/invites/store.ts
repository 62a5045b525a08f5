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
  /** The session that it was made in; null for one made with an API key, and for one made before sessions were kept. */
  session_id: string | null;
}

/** A link that somebody could still open, with who has made it for whom. */
export interface OpenInviteRow {
  user_id: string;
  username: string;
  maker_id: string;
  maker: string;
  expires_at: number;
}

/** Keeps the one invitation of an account; an earlier one stops working. */
export function saveInvite(db: Store, row: InviteRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO invites (user_id, made_by, token_hash, expires_at, parent_device_id, session_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(row.user_id, row.made_by, row.token_hash, row.expires_at, row.parent_device_id, row.session_id);
}

export function findInvite(db: Store, tokenHash: string): InviteRow | null {
  return db.raw.query<InviteRow, [string]>("SELECT * FROM invites WHERE token_hash = ?").get(tokenHash);
}

/** How many links could still give an account another password: one or none. */
export function countInvites(db: Store, userId: string): number {
  const sql = "SELECT count(*) AS count FROM invites WHERE user_id = ?";
  return db.raw.query<{ count: number }, [string]>(sql).get(userId)?.count ?? 0;
}

/** The links that wait to be opened, those that end first at the front. An account has at most one. */
export function listInvites(db: Store, now: number): OpenInviteRow[] {
  const sql = `SELECT i.user_id, u.username, i.made_by AS maker_id, m.username AS maker, i.expires_at
    FROM invites i JOIN users u ON u.id = i.user_id JOIN users m ON m.id = i.made_by
    WHERE i.expires_at > ? ORDER BY i.expires_at`;
  return db.raw.query<OpenInviteRow, [number]>(sql).all(now);
}

/** Ends the link of an account; false when none waits. */
export function deleteInviteFor(db: Store, userId: string, now: number): boolean {
  return db.raw.query("DELETE FROM invites WHERE user_id = ? AND expires_at > ?").run(userId, now).changes === 1;
}

/** Ends the links that an account made for others. */
export function deleteInvitesBy(db: Store, userId: string): void {
  db.raw.query("DELETE FROM invites WHERE made_by = ?").run(userId);
}

/** Ends the links that were made in a session. */
export function deleteInvitesIn(db: Store, sessionId: string): void {
  db.raw.query("DELETE FROM invites WHERE session_id = ?").run(sessionId);
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

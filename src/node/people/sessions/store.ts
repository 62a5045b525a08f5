import type { Store } from "../../../kernel/db/store.ts";

/** A row of `sessions`; times in milliseconds. */
export interface SessionRow {
  id: string;
  user_id: string;
  device: string;
  ip: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  locked_at: number | null;
  revoked_at: number | null;
  /** 1 when its access tokens stopped with it. */
  is_cut: number;
  /** The paired device that let it in, with which it ends. */
  parent_device_id: string | null;
}

export interface RefreshRow {
  hash: string;
  session_id: string;
  created_at: number;
  rotated_at: number | null;
}

export function insertSession(db: Store, row: Omit<SessionRow, "is_cut">): void {
  db.raw
    .query(
      `INSERT INTO sessions
         (id, user_id, device, ip, created_at, last_used_at, expires_at, locked_at, revoked_at, parent_device_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.user_id,
      row.device,
      row.ip,
      row.created_at,
      row.last_used_at,
      row.expires_at,
      row.locked_at,
      row.revoked_at,
      row.parent_device_id,
    );
}

export function findSession(db: Store, id: string): SessionRow | null {
  return db.remember(`session ${id}`, () =>
    db.raw.query<SessionRow, [string]>("SELECT * FROM sessions WHERE id = ?").get(id),
  );
}

/** Where the sessions that are known were used last, and by whom: so many addresses, the latest last. */
export function listAddresses(db: Store, limit: number): { ip: string; user_id: string }[] {
  const sql = `SELECT ip, user_id FROM (SELECT ip, user_id, max(last_used_at) AS at FROM sessions GROUP BY ip ORDER BY at DESC LIMIT ?)
     ORDER BY at`;
  return db.raw.query<{ ip: string; user_id: string }, [number]>(sql).all(limit);
}

export function listActiveSessions(db: Store, userId: string, now: number): SessionRow[] {
  const sql = `SELECT * FROM sessions WHERE user_id = ? AND revoked_at IS NULL AND expires_at > ?
               ORDER BY last_used_at DESC, id DESC`;
  return db.raw.query<SessionRow, [string, number]>(sql).all(userId, now);
}

export function touchSession(db: Store, id: string, ip: string, now: number, expiresAt: number): void {
  db.raw.query("UPDATE sessions SET last_used_at = ?, ip = ?, expires_at = ? WHERE id = ?").run(now, ip, expiresAt, id);
}

/** Returns false when the session is unknown or had ended before. `isCut` stops its access tokens as well. */
export function markSessionRevoked(db: Store, id: string, now: number, isCut: boolean): boolean {
  const { changes } = db.raw
    .query("UPDATE sessions SET revoked_at = ?, is_cut = ? WHERE id = ? AND revoked_at IS NULL")
    .run(now, isCut ? 1 : 0, id);
  return changes > 0;
}

/** Revokes what each user has beyond the `keep` most recently used active sessions. */
export function markSurplusSessionsRevoked(db: Store, keep: number, now: number): void {
  db.raw
    .query(
      `UPDATE sessions SET revoked_at = ?1 WHERE id IN (
         SELECT id FROM (
           SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY last_used_at DESC, id DESC) AS place
           FROM sessions WHERE revoked_at IS NULL AND expires_at > ?1)
         WHERE place > ?2)`,
    )
    .run(now, keep);
}

/** Cuts every active session of a user but one and tells how many; `keepId` null spares none. */
export function markUserSessionsCut(db: Store, userId: string, keepId: string | null, now: number): number {
  return db.raw
    .query("UPDATE sessions SET revoked_at = ?, is_cut = 1 WHERE user_id = ? AND revoked_at IS NULL AND id IS NOT ?")
    .run(now, userId, keepId).changes;
}

/** The active sessions that a paired device let in. */
export function listSessionsOfDevice(db: Store, deviceId: string): SessionRow[] {
  const sql = "SELECT * FROM sessions WHERE parent_device_id = ? AND revoked_at IS NULL";
  return db.raw.query<SessionRow, [string]>(sql).all(deviceId);
}

/** Lets a session no longer end with the device that let it in. */
export function forgetParentDevice(db: Store, id: string): void {
  db.raw.query("UPDATE sessions SET parent_device_id = NULL WHERE id = ?").run(id);
}

/** Locks a running session; false when it is locked, ended or unknown. */
export function markSessionLocked(db: Store, id: string, now: number): boolean {
  const sql = "UPDATE sessions SET locked_at = ? WHERE id = ? AND locked_at IS NULL AND revoked_at IS NULL";
  return db.raw.query(sql).run(now, id).changes === 1;
}

export function deleteUserSessions(db: Store, userId: string): void {
  db.raw.query("DELETE FROM sessions WHERE user_id = ?").run(userId);
}

export function insertRefresh(db: Store, row: Omit<RefreshRow, "rotated_at">): void {
  db.raw
    .query("INSERT INTO refresh_tokens (hash, session_id, created_at) VALUES (?, ?, ?)")
    .run(row.hash, row.session_id, row.created_at);
}

export function findRefresh(db: Store, hash: string): RefreshRow | null {
  return db.raw.query<RefreshRow, [string]>("SELECT * FROM refresh_tokens WHERE hash = ?").get(hash);
}

export function markRefreshRotated(db: Store, hash: string, now: number): void {
  db.raw.query("UPDATE refresh_tokens SET rotated_at = ? WHERE hash = ? AND rotated_at IS NULL").run(now, hash);
}

/** Forgets tokens that were traded before `before`: too old to be tried by anybody who could still hold one. */
export function deleteSpentRefreshTokens(db: Store, before: number): number {
  return db.raw.query("DELETE FROM refresh_tokens WHERE rotated_at < ?").run(before).changes;
}

/** Forgets of each session all traded tokens but the `keep` newest: a token that old is no more than unknown then. */
export function deleteSurplusRefreshTokens(db: Store, keep: number): number {
  // Counted by the index alone: sorting the tokens of a few hundred devices would hold everybody up for half a second.
  const many = "SELECT session_id AS id FROM refresh_tokens GROUP BY session_id HAVING count(*) > ?";
  const sql = `DELETE FROM refresh_tokens WHERE hash IN (SELECT hash FROM refresh_tokens
    WHERE session_id = ? AND rotated_at IS NOT NULL ORDER BY created_at DESC, rotated_at DESC LIMIT -1 OFFSET ?)`;
  const sessions = db.raw.query<{ id: string }, [number]>(many).all(keep);
  return sessions.reduce((sum, { id }) => sum + db.raw.query(sql).run(id, keep).changes, 0);
}

/** Forgets of each user all sessions that ended but the `keep` that ended last; their refresh tokens go with them. */
export function deleteSurplusEndedSessions(db: Store, keep: number): number {
  const sql = `DELETE FROM sessions WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY revoked_at DESC, id DESC) AS place
    FROM sessions WHERE revoked_at IS NOT NULL) WHERE place > ?)`;
  return db.raw.query(sql).run(keep).changes;
}

/** Forgets sessions that ended before `before`; their refresh tokens go with them. */
export function deleteEndedSessions(db: Store, before: number): number {
  return db.raw.query("DELETE FROM sessions WHERE revoked_at < ? OR expires_at < ?").run(before, before).changes;
}

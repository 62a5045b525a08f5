import type { Store } from "../../../kernel/db/store.ts";
import { MAX_DEPTH } from "../drive/index.ts";

/** A row of `dav_locks`. */
export interface LockRow {
  token: string;
  user_id: string;
  node_id: string | null;
  is_shared: number;
  is_deep: number;
  owner: string;
  timeout_s: number;
  expires_at: number;
}

/** Whose locks, and when. */
export interface Of {
  userId: string;
  now: number;
}

const hasLocks = (db: Store, { userId, now }: Of): boolean =>
  db.raw.query("SELECT 1 FROM dav_locks WHERE user_id = ? AND expires_at > ? LIMIT 1").get(userId, now) !== null;

/** All locks of somebody that have not run out. */
export const listLocks = (db: Store, { userId, now }: Of): LockRow[] =>
  db.raw
    .query<LockRow, [string, number]>("SELECT * FROM dav_locks WHERE user_id = ? AND expires_at > ? ORDER BY rowid")
    .all(userId, now);

/** Locks on these very files and folders that have not run out; null is the Drive itself. */
export function listLocksOn(db: Store, of: Of, nodeIds: readonly (string | null)[]): LockRow[] {
  // Asked with every request, and most people never lock anything: a list of ids costs ten times as much.
  if (!hasLocks(db, of)) return [];
  return db.raw
    .query<LockRow, [string, number, string]>(
      `SELECT * FROM dav_locks WHERE user_id = ? AND expires_at > ?
         AND ifnull(node_id, '') IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    )
    .all(of.userId, of.now, JSON.stringify(nodeIds.map((id) => id ?? "")));
}

/** Locks on what lies in a folder, on all levels. */
export const listLocksBelow = (db: Store, { userId, now }: Of, folderId: string | null): LockRow[] =>
  db.raw
    .query<LockRow, [string, number, string]>(
      `WITH RECURSIVE locked (id) AS (
         SELECT DISTINCT node_id FROM dav_locks WHERE user_id = ?1 AND expires_at > ?2 AND node_id IS NOT NULL
       ), up (locked, id, above) AS (
         SELECT n.id, n.parent_id, 1 FROM locked JOIN drive_nodes n ON n.id = locked.id WHERE n.trashed_at IS NULL
         UNION ALL
         SELECT up.locked, n.parent_id, above + 1 FROM up JOIN drive_nodes n ON n.id = up.id
           WHERE ifnull(up.id, '') <> ?3 AND n.trashed_at IS NULL AND above < ${MAX_DEPTH}
       )
       SELECT l.* FROM dav_locks l WHERE l.user_id = ?1 AND l.expires_at > ?2
         AND l.node_id IN (SELECT locked FROM up WHERE ifnull(id, '') = ?3)`,
    )
    .all(userId, now, folderId ?? "");

/** Names of a node and the folders above it, the topmost first. */
export const namesOfNode = (db: Store, nodeId: string): string[] =>
  db.raw
    .query<{ name: string }, [string]>(
      `WITH RECURSIVE way (id, above) AS (
         SELECT ?, 0 UNION ALL
         SELECT n.parent_id, above + 1 FROM way JOIN drive_nodes n ON n.id = way.id
         WHERE n.parent_id IS NOT NULL AND above < ${MAX_DEPTH}
       )
       SELECT n.name FROM way JOIN drive_nodes n ON n.id = way.id ORDER BY above DESC`,
    )
    .all(nodeId)
    .map(({ name }) => name);

export const countLocks = (db: Store, { userId, now }: Of): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      "SELECT count(*) AS count FROM dav_locks WHERE user_id = ? AND expires_at > ?",
    )
    .get(userId, now)?.count ?? 0;

export const insertLock = (db: Store, row: LockRow): void =>
  void db.raw
    .query(
      `INSERT INTO dav_locks (token, user_id, node_id, is_shared, is_deep, owner, timeout_s, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.token, row.user_id, row.node_id, row.is_shared, row.is_deep, row.owner, row.timeout_s, row.expires_at);

export const extendLock = (db: Store, token: string, timeout: number, expiresAt: number): void =>
  void db.raw
    .query("UPDATE dav_locks SET timeout_s = ?, expires_at = ? WHERE token = ?")
    .run(timeout, expiresAt, token);

export const deleteLock = (db: Store, token: string): void =>
  void db.raw.query("DELETE FROM dav_locks WHERE token = ?").run(token);

export const deleteExpired = (db: Store, now: number): void =>
  void db.raw.query("DELETE FROM dav_locks WHERE expires_at <= ?").run(now);

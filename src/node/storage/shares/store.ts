import type { Store } from "../../../kernel/db/store.ts";
import type { ShareMode } from "./contract.ts";

/** A row of `drive_shares` with who made it. */
export interface ShareRow {
  id: string;
  token_hash: string;
  token_sealed: string;
  user_id: string;
  node_id: string;
  mode: ShareMode;
  password_hash: string | null;
  expires_at: number | null;
  max_downloads: number | null;
  downloads: number;
  uploads: number;
  created_at: number;
  last_used_at: number | null;
  username: string;
  role: string;
  is_disabled: number;
}

const SELECT = `SELECT s.*, u.username, u.role, u.disabled_at IS NOT NULL AS is_disabled
  FROM drive_shares s JOIN users u ON u.id = s.user_id`;

export const insertShare = (
  db: Store,
  row: Omit<ShareRow, "downloads" | "uploads" | "last_used_at" | "username" | "role" | "is_disabled">,
): void =>
  void db.raw
    .query(
      `INSERT INTO drive_shares
         (id, token_hash, token_sealed, user_id, node_id, mode, password_hash, expires_at, max_downloads, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.token_hash,
      row.token_sealed,
      row.user_id,
      row.node_id,
      row.mode,
      row.password_hash,
      row.expires_at,
      row.max_downloads,
      row.created_at,
    );

export const findByToken = (db: Store, tokenHash: string): ShareRow | null =>
  db.raw.query<ShareRow, [string]>(`${SELECT} WHERE s.token_hash = ?`).get(tokenHash);

/** A link that this user made. */
export const findShare = (db: Store, userId: string, id: string): ShareRow | null =>
  db.raw.query<ShareRow, [string, string]>(`${SELECT} WHERE s.user_id = ? AND s.id = ?`).get(userId, id);

/** The links that a user made, of one file or folder or of all, the newest first. */
export const listShares = (db: Store, userId: string, nodeId: string | null, limit: number): ShareRow[] =>
  db.raw
    .query<ShareRow, [string, string | null, number]>(
      `${SELECT} WHERE s.user_id = ?1 AND (?2 IS NULL OR s.node_id = ?2) ORDER BY s.created_at DESC, s.id DESC LIMIT ?3`,
    )
    .all(userId, nodeId, limit);

export const countShares = (db: Store, userId: string): number =>
  db.raw.query<{ count: number }, [string]>("SELECT count(*) AS count FROM drive_shares WHERE user_id = ?").get(userId)
    ?.count ?? 0;

/** Links of everybody that neither time nor downloads have ended. */
export const countActive = (db: Store, now: number): number =>
  db.raw
    .query<{ count: number }, [number]>(
      `SELECT count(*) AS count FROM drive_shares
       WHERE (expires_at IS NULL OR expires_at > ?) AND (max_downloads IS NULL OR downloads < max_downloads)`,
    )
    .get(now)?.count ?? 0;

export const deleteShare = (db: Store, id: string): void =>
  void db.raw.query("DELETE FROM drive_shares WHERE id = ?").run(id);

/** Counts a download; false when there were as many as there may be. */
export const takeDownload = (db: Store, id: string, at: number): boolean =>
  db.raw
    .query(
      `UPDATE drive_shares SET downloads = downloads + 1, last_used_at = ?
       WHERE id = ? AND (max_downloads IS NULL OR downloads < max_downloads)`,
    )
    .run(at, id).changes === 1;

export const countUpload = (db: Store, id: string, at: number): void =>
  void db.raw.query("UPDATE drive_shares SET uploads = uploads + 1, last_used_at = ? WHERE id = ?").run(at, id);

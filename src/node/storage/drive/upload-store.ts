import type { Store } from "../../../kernel/db/store.ts";

/** A row of `drive_uploads`. */
export interface UploadRow {
  id: string;
  user_id: string;
  parent_id: string | null;
  name: string;
  size_bytes: number;
  mark: string;
  promised: string | null;
  sha256: string | null;
  node_id: string | null;
  touched_at: number;
  /** Whether it takes the place of a file of its name when it is whole. */
  replaces: number;
  /** The link that a stranger sends it by; null for the owner. */
  share_id: string | null;
  /** The networks that a stranger sends it from, the widest first and a space between them. */
  networks: string | null;
}

/** Who sends: the owner of a Drive, or whoever has a link into it. */
export interface Sender {
  userId: string;
  shareId: string | null;
}

/** An upload of that sender, finished or not. */
export const findUpload = (db: Store, { userId, shareId }: Sender, id: string): UploadRow | null =>
  db.raw
    .query<UploadRow, [string, string | null, string]>(
      "SELECT * FROM drive_uploads WHERE user_id = ? AND share_id IS ? AND id = ?",
    )
    .get(userId, shareId, id);

/** What was begun and not finished of the same file for the same place. */
export const findAlike = (
  db: Store,
  { user_id, share_id, parent_id, name, size_bytes, mark }: Omit<UploadRow, "id" | "touched_at" | "networks">,
): UploadRow | null =>
  db.raw
    .query<UploadRow, [string, string | null, string, string, number, string]>(
      `SELECT * FROM drive_uploads
       WHERE user_id = ? AND share_id IS ? AND ifnull(parent_id, '') = ? AND name = ? AND size_bytes = ? AND mark = ? AND node_id IS NULL
       ORDER BY id LIMIT 1`,
    )
    .get(user_id, share_id, parent_id ?? "", name, size_bytes, mark);

/** What a sender has begun and not finished, the latest first. */
export const listUploads = (db: Store, { userId, shareId }: Sender): UploadRow[] =>
  db.raw
    .query<UploadRow, [string, string | null]>(
      `SELECT * FROM drive_uploads WHERE user_id = ? AND share_id IS ? AND node_id IS NULL
       ORDER BY touched_at DESC, id DESC`,
    )
    .all(userId, shareId);

/** All that strangers have begun and not finished, the one first for which nothing came for longest. */
export const listShared = (db: Store): UploadRow[] =>
  db.raw
    .query<UploadRow, []>(
      "SELECT * FROM drive_uploads WHERE share_id IS NOT NULL AND node_id IS NULL ORDER BY touched_at, id",
    )
    .all();

export function insertUpload(db: Store, row: Omit<UploadRow, "sha256" | "node_id">): void {
  db.raw
    .query(
      `INSERT INTO drive_uploads
         (id, user_id, parent_id, name, size_bytes, mark, promised, touched_at, replaces, share_id, networks)
       VALUES ($id, $user_id, $parent_id, $name, $size_bytes, $mark, $promised, $touched_at, $replaces, $share_id, $networks)`,
    )
    .run({
      ...{ $id: row.id, $user_id: row.user_id, $parent_id: row.parent_id, $name: row.name, $mark: row.mark },
      ...{ $size_bytes: row.size_bytes, $promised: row.promised, $touched_at: row.touched_at },
      ...{ $replaces: row.replaces, $share_id: row.share_id, $networks: row.networks },
    });
}

/** Whether it is there still; a chunk has come, at that time where it brought something. */
export const touchUpload = (db: Store, id: string, at: number | null): boolean =>
  db.raw.query("UPDATE drive_uploads SET touched_at = coalesce(?, touched_at) WHERE id = ?").run(at, id).changes > 0;

/** Notes what its content is, which keeps it from the sweep until the file has it; null takes that back. */
export const noteSum = (db: Store, id: string, sha256: string | null): boolean =>
  db.raw.query("UPDATE drive_uploads SET sha256 = ? WHERE id = ?").run(sha256, id).changes > 0;

/** It has become a file, which holds the content from here on. */
export const noteFile = (db: Store, id: string, nodeId: string): void =>
  void db.raw.query("UPDATE drive_uploads SET sha256 = NULL, node_id = ? WHERE id = ?").run(nodeId, id);

export const deleteUpload = (db: Store, id: string): void =>
  void db.raw.query("DELETE FROM drive_uploads WHERE id = ?").run(id);

/** Forgets those for which nothing came since then. */
export const deleteUploadsBefore = (db: Store, at: number): void =>
  void db.raw.query("DELETE FROM drive_uploads WHERE touched_at <= ?").run(at);

/** Whether somebody still sends under this id. */
export const isUploadOpen = (db: Store, id: string): boolean =>
  db.raw.query("SELECT 1 FROM drive_uploads WHERE id = ? AND node_id IS NULL").get(id) !== null;

import type { Store } from "../../../kernel/db/store.ts";

/** A row of `drive_versions`. */
export interface VersionRow {
  id: string;
  node_id: string;
  sha256: string;
  size_bytes: number;
  made_at: number;
  replaced_at: number;
}

/** Versions of a file that were its content after that time, the latest first. */
export const listVersions = (db: Store, nodeId: string, since: number): VersionRow[] =>
  db.raw
    .query<VersionRow, [string, number]>(
      "SELECT * FROM drive_versions WHERE node_id = ? AND replaced_at > ? ORDER BY replaced_at DESC, id DESC",
    )
    .all(nodeId, since);

/** How many versions of a file there are. */
export const countVersions = (db: Store, nodeId: string): number =>
  db.raw
    .query<{ count: number }, [string]>("SELECT count(*) AS count FROM drive_versions WHERE node_id = ?")
    .get(nodeId)?.count ?? 0;

export const findVersion = (db: Store, nodeId: string, id: string): VersionRow | null =>
  db.raw
    .query<VersionRow, [string, string]>("SELECT * FROM drive_versions WHERE node_id = ? AND id = ?")
    .get(nodeId, id);

export function insertVersion(db: Store, row: VersionRow): void {
  db.raw
    .query(
      "INSERT INTO drive_versions (id, node_id, sha256, size_bytes, made_at, replaced_at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(row.id, row.node_id, row.sha256, row.size_bytes, row.made_at, row.replaced_at);
}

/** Gives what a file held before to another one. */
export const giveVersions = (db: Store, from: string, to: string): void =>
  void db.raw.query("UPDATE drive_versions SET node_id = ? WHERE node_id = ?").run(to, from);

export const deleteVersion = (db: Store, id: string): void =>
  void db.raw.query("DELETE FROM drive_versions WHERE id = ?").run(id);

/** Removes all but the latest so many of a file. */
export const deleteVersionsBut = (db: Store, nodeId: string, keep: number): void =>
  void db.raw
    .query(
      `DELETE FROM drive_versions WHERE node_id = ?1 AND id NOT IN
         (SELECT id FROM drive_versions WHERE node_id = ?1 ORDER BY replaced_at DESC, id DESC LIMIT ?2)`,
    )
    .run(nodeId, keep);

/** How many versions somebody's files have, counted no further than to a limit. */
export const countVersionsOf = (db: Store, userId: string, limit: number): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      `SELECT count(*) AS count FROM
         (SELECT 1 FROM drive_nodes n CROSS JOIN drive_versions v ON v.node_id = n.id WHERE n.user_id = ? LIMIT ?)`,
    )
    .get(userId, limit)?.count ?? 0;

/** The same of a file, or of all that lies in a folder, in the trash or not. */
export const countVersionsBelow = (db: Store, id: string, limit: number): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      `WITH RECURSIVE below (id) AS (
         SELECT ?1 UNION ALL SELECT n.id FROM below JOIN drive_nodes n ON n.parent_id = below.id LIMIT 10000
       ) SELECT count(*) AS count FROM (SELECT 1 FROM below CROSS JOIN drive_versions v ON v.node_id = below.id LIMIT ?2)`,
    )
    .get(id, limit)?.count ?? 0;

/** Removes what has been no content since then, at most so many; tells how many. */
export const deleteVersionsBefore = (db: Store, at: number, limit: number): number =>
  db.raw
    .query(
      "DELETE FROM drive_versions WHERE rowid IN (SELECT rowid FROM drive_versions WHERE replaced_at <= ? LIMIT ?)",
    )
    .run(at, limit).changes;

import type { Store } from "../../../kernel/db/store.ts";
import { MAX_DEPTH } from "./contract.ts";
import type { Kept } from "./kept.ts";

/** A row of `drive_nodes`. */
export interface NodeRow {
  id: string;
  user_id: string;
  parent_id: string | null;
  is_file: number;
  name: string;
  sha256: string | null;
  size_bytes: number;
  created_at: number;
  trashed_at: number | null;
  /** Since when the content is what it is. */
  changed_at: number;
  starred_at: number | null;
  /** The name as it is searched. */
  folded: string;
}

/** A name, or a part of one, as it is searched: capitals and ways of writing the same letter do not count. */
export const foldName = (name: string): string => name.normalize("NFKC").toLowerCase();

/** Whether an account is there and switched on. */
export const isActiveUser = (db: Store, userId: string): boolean =>
  db.raw.query("SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL").get(userId) !== null;

/** What somebody came in with. */
export interface CameBy {
  session_id: string | null;
  key_id: string | null;
  device_id: string | null;
}

/** Whether none of it has ended. */
export const isStillIn = (db: Store, { session_id, key_id, device_id }: CameBy): boolean =>
  db.raw
    .query(
      `SELECT 1 WHERE (?1 IS NULL OR EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND revoked_at IS NULL))
         AND (?2 IS NULL OR EXISTS (SELECT 1 FROM api_keys WHERE id = ?2))
         AND (?3 IS NULL OR EXISTS (SELECT 1 FROM paired_devices WHERE id = ?3))`,
    )
    .get(session_id, key_id, device_id) !== null;

/** A node of that user, in the trash or not. */
export const findNode = (db: Store, userId: string, id: string): NodeRow | null =>
  db.raw.query<NodeRow, [string, string]>("SELECT * FROM drive_nodes WHERE user_id = ? AND id = ?").get(userId, id);

/**
 * A node and the folders above it, the node first: up to what is in the trash, where there is something, and no further than to one more than
 * folders may go deep.
 */
export const listWay = (db: Store, userId: string, id: string): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string]>(
      `WITH RECURSIVE way (id, above) AS (
         SELECT id, 0 FROM drive_nodes WHERE user_id = ? AND id = ?
         UNION ALL
         SELECT n.parent_id, above + 1 FROM way JOIN drive_nodes n ON n.id = way.id
         WHERE n.parent_id IS NOT NULL AND n.trashed_at IS NULL AND above < ${MAX_DEPTH}
       )
       SELECT n.* FROM way JOIN drive_nodes n ON n.id = way.id ORDER BY above`,
    )
    .all(userId, id);

/** What lies in a folder, folders first, from the place after (isFile, name) on. */
export const listChildren = (
  db: Store,
  userId: string,
  parentId: string | null,
  { isFile, name, limit }: { isFile: number; name: string; limit: number },
): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string, number, string, number]>(
      `SELECT * FROM drive_nodes
       WHERE user_id = ? AND ifnull(parent_id, '') = ? AND trashed_at IS NULL AND (is_file, name) > (?, ?)
       ORDER BY is_file, name LIMIT ?`,
    )
    .all(userId, parentId ?? "", isFile, name, limit);

/** What lies there under that name. */
export const findNamed = (db: Store, userId: string, parentId: string | null, name: string): NodeRow | null =>
  db.raw
    .query<NodeRow, [string, string, string]>(
      "SELECT * FROM drive_nodes WHERE user_id = ? AND ifnull(parent_id, '') = ? AND name = ? AND trashed_at IS NULL",
    )
    .get(userId, parentId ?? "", name);

/** How many files a user has, in the trash or not. */
export const countFiles = (db: Store, userId: string): number =>
  db.raw
    .query<{ count: number }, [string]>("SELECT count(*) AS count FROM drive_nodes WHERE user_id = ? AND is_file = 1")
    .get(userId)?.count ?? 0;

/** How many files and folders a user has, in the trash or not. */
export const countNodes = (db: Store, userId: string): number =>
  db.raw.query<{ nodes: number }, [string]>("SELECT nodes FROM drive_counts WHERE user_id = ?").get(userId)?.nodes ?? 0;

export function insertNode(
  db: Store,
  row: Omit<NodeRow, "trashed_at" | "starred_at" | "folded">,
  trashedAt: number | null = null,
): void {
  const { id, user_id, parent_id, is_file, name, sha256, size_bytes, created_at, changed_at } = row;
  db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, is_file, name, sha256, size_bytes, created_at, changed_at, folded, trashed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, user_id, parent_id, is_file, name, sha256, size_bytes, created_at, changed_at, foldName(name), trashedAt);
}

/** Gives a node its name, its folder and its star. */
export const placeRow = (
  db: Store,
  id: string,
  { name, parentId, starredAt }: { name: string; parentId: string | null; starredAt: number | null },
): void =>
  void db.raw
    .query("UPDATE drive_nodes SET name = ?, folded = ?, parent_id = ?, starred_at = ? WHERE id = ?")
    .run(name, foldName(name), parentId, starredAt, id);

/** Gives a file its content. */
export const setContent = (
  db: Store,
  id: string,
  { sha256, size, at }: { sha256: string; size: number; at: number },
): void =>
  void db.raw
    .query("UPDATE drive_nodes SET sha256 = ?, size_bytes = ?, changed_at = ? WHERE id = ?")
    .run(sha256, size, at, id);

type Top = Pick<NodeRow, "id" | "user_id">;

/** What lies in the folders of `below` and is not in the trash: what is there is not looked at, however much that is. */
const INSIDE = `CROSS JOIN drive_nodes n INDEXED BY drive_listing
  ON n.user_id = ?2 AND ifnull(n.parent_id, '') = below.id AND n.trashed_at IS NULL`;

/** How many levels a node has with what lies in it and is not in the trash; 1 for a file. What is deeper than `limit` is not looked at. */
export const depthBelow = (db: Store, { id, user_id }: Top, limit: number): number =>
  db.raw
    .query<{ depth: number }, [string, string, number]>(
      `WITH RECURSIVE below (id, depth, is_file) AS (
         SELECT ?1, 1, 0
         UNION ALL
         SELECT n.id, depth + 1, n.is_file FROM below ${INSIDE} WHERE below.is_file = 0 AND depth < ?3
       )
       SELECT max(depth) AS depth FROM below`,
    )
    .get(id, user_id, limit)?.depth ?? 1;

/** How many there are of a node and what lies in it, counted no further than to a limit. */
export const countBelow = (db: Store, { id, user_id }: Top, limit: number): number =>
  db.raw
    .query<{ count: number }, [string, string, number]>(
      `WITH RECURSIVE below (id) AS (
         SELECT ?1 UNION ALL SELECT n.id FROM below ${INSIDE} LIMIT ?3
       ) SELECT count(*) AS count FROM below`,
    )
    .get(id, user_id, limit)?.count ?? 0;

/** A node and what lies in it, also what was put into the trash by itself; no more of them than so many. */
export const listAllBelow = (db: Store, id: string, limit: number): string[] =>
  db.raw
    .query<{ id: string }, [string, number]>(
      `WITH RECURSIVE below (id) AS (
         SELECT ?1 UNION ALL SELECT n.id FROM below JOIN drive_nodes n ON n.parent_id = below.id LIMIT ?2
       ) SELECT id FROM below`,
    )
    .all(id, limit)
    .map((row) => row.id);

/** What lies in a folder on all levels and is not in the trash, folders before what is in them. */
export const listBelow = (db: Store, { id, user_id }: Top): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string]>(
      `WITH RECURSIVE below (id, depth) AS (
         SELECT ?1, 1 UNION ALL SELECT n.id, depth + 1 FROM below ${INSIDE}
       )
       SELECT n.* FROM below JOIN drive_nodes n ON n.id = below.id WHERE below.depth > 1 ORDER BY below.depth`,
    )
    .all(id, user_id);

/** What lies in a folder, from the name after that one on, by name. */
export const listNamed = (db: Store, userId: string, parentId: string, after: string, limit: number): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string, string, number]>(
      `SELECT * FROM drive_nodes INDEXED BY drive_names
       WHERE user_id = ? AND ifnull(parent_id, '') = ? AND trashed_at IS NULL AND name > ? ORDER BY name LIMIT ?`,
    )
    .all(userId, parentId, after, limit);

/** Where a search goes on: after the last one that it looked at. */
export interface SearchPlace {
  changedAt: number;
  id: string;
}

/** What was changed last, whoever it is. */
export const SEARCH_BEGINNING: SearchPlace = { changedAt: Number.MAX_SAFE_INTEGER, id: "" };

const SEARCHED = `FROM drive_nodes INDEXED BY drive_recent
  WHERE user_id = ? AND trashed_at IS NULL AND (changed_at, id) < (?, ?) ORDER BY changed_at DESC, id DESC`;

/** Where a search is after so many more; null where there are not as many. */
export const searchPlaceAfter = (db: Store, userId: string, from: SearchPlace, count: number): SearchPlace | null =>
  db.raw
    .query<SearchPlace, [string, number, string, number]>(
      `SELECT changed_at AS changedAt, id ${SEARCHED} LIMIT 1 OFFSET ?`,
    )
    .get(userId, from.changedAt, from.id, count - 1);

/** Of the next so many that are not in the trash themselves, those that have that in their name, the last changed first. */
export const searchRows = (db: Store, userId: string, from: SearchPlace, count: number, part: string): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, number, string, number, string]>(
      `SELECT n.* FROM (SELECT id, folded ${SEARCHED} LIMIT ?) AS s CROSS JOIN drive_nodes n ON n.id = s.id
       WHERE instr(s.folded, ?) > 0`,
    )
    .all(userId, from.changedAt, from.id, count, part);

/** What has a star, is not in the trash itself and has that in its name, the last changed first. */
export const searchStarred = (db: Store, userId: string, part: string, limit: number): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string, number]>(
      `SELECT * FROM drive_nodes INDEXED BY drive_stars
       WHERE user_id = ? AND starred_at IS NOT NULL AND trashed_at IS NULL AND instr(folded, ?) > 0
       ORDER BY changed_at DESC, id DESC LIMIT ?`,
    )
    .all(userId, part, limit);

export const trashRow = (db: Store, id: string, at: number): void =>
  void db.raw.query("UPDATE drive_nodes SET trashed_at = ? WHERE id = ?").run(at, id);

export const restoreRow = (db: Store, id: string, parentId: string | null): void =>
  void db.raw.query("UPDATE drive_nodes SET trashed_at = NULL, parent_id = ? WHERE id = ?").run(parentId, id);

/** What was put into the trash, the latest first, from the place after (at, id) on. */
export const listTrash = (
  db: Store,
  userId: string,
  { at, id, limit }: { at: number; id: string; limit: number },
): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, number, string, number]>(
      `SELECT * FROM drive_nodes WHERE user_id = ? AND trashed_at > ${LEAVING} AND (trashed_at, id) < (?, ?)
       ORDER BY trashed_at DESC, id DESC LIMIT ?`,
    )
    .all(userId, at, id, limit);

/** Removes a node and all that lies in it. */
export const deleteNode = (db: Store, id: string): void =>
  void db.raw.query("DELETE FROM drive_nodes WHERE id = ?").run(id);

/** When what is on its way out was put into the trash: before anything else, and nobody finds it there. */
export const LEAVING = 0;

/** The same of a folder that is being copied and not whole yet. */
export const COMING = -1;

/** Shows a folder that was copied. */
export const revealRow = (db: Store, id: string, parentId: string | null, name: string): void =>
  void db.raw
    .query("UPDATE drive_nodes SET trashed_at = NULL, parent_id = ?, name = ?, folded = ? WHERE id = ?")
    .run(parentId, name, foldName(name), id);

/** Lets all leave that was not whole when the program ended. */
export const letComingLeave = (db: Store): void =>
  void db.raw.query("UPDATE drive_nodes SET trashed_at = ? WHERE trashed_at = ?").run(LEAVING, COMING);

/** Lets leave what has been in the trash since before that time, at most so many; tells how many. */
export const letLeaveBefore = (db: Store, at: number, limit: number): number =>
  db.raw
    .query(
      `UPDATE drive_nodes SET trashed_at = ? WHERE rowid IN
         (SELECT rowid FROM drive_nodes INDEXED BY drive_trash_age WHERE trashed_at > ${LEAVING} AND trashed_at <= ? LIMIT ?)`,
    )
    .run(LEAVING, at, limit).changes;

/** What is on its way out. */
export const listLeaving = (db: Store, limit: number): string[] =>
  db.raw
    .query<{ id: string }, [number, number]>("SELECT id FROM drive_nodes WHERE trashed_at = ? LIMIT ?")
    .all(LEAVING, limit)
    .map(({ id }) => id);

/** Some of what somebody has. */
export const listOwned = (db: Store, userId: string, limit: number): string[] =>
  db.raw
    .query<{ id: string }, [string, number]>("SELECT id FROM drive_nodes WHERE user_id = ? LIMIT ?")
    .all(userId, limit)
    .map(({ id }) => id);

/**
 * A step towards the end of these nodes, which are on their way out: it touches as many rows at most as there are nodes or `limit` says.
 * What they held before goes first and what is kept with them, then what lies in them leaves by itself, and last they are removed.
 */
export function removePart(db: Store, ids: readonly string[], kept: readonly Kept[], limit: number): void {
  const list = JSON.stringify(ids);
  let left = limit;
  left -= db.raw
    .query(
      `DELETE FROM drive_versions WHERE rowid IN
         (SELECT v.rowid FROM json_each(?) AS j CROSS JOIN drive_versions v ON v.node_id = j.value LIMIT ?)`,
    )
    .run(list, left).changes;
  for (const { remove } of kept) if (left > 0) left -= remove(ids, left);
  if (left <= 0) return;
  left -= db.raw
    .query(
      `UPDATE drive_nodes SET parent_id = NULL, trashed_at = ${LEAVING} WHERE rowid IN
         (SELECT n.rowid FROM json_each(?) AS j CROSS JOIN drive_nodes n ON n.parent_id = j.value LIMIT ?)`,
    )
    .run(list, left).changes;
  // The next step removes them, if nothing is left that would go with them.
  if (left <= 0 || (left < limit && left < ids.length)) return;
  db.raw.query("DELETE FROM drive_nodes WHERE id IN (SELECT value FROM json_each(?))").run(list);
}

export const noteBlob = (db: Store, sha256: string): void =>
  void db.raw.query("INSERT OR IGNORE INTO drive_blobs (sha256) VALUES (?)").run(sha256);

/** Those of these contents that are not noted. */
export const listUnnoted = (db: Store, sums: readonly string[]): string[] =>
  db.raw
    .query<{ sha256: string }, [string]>(
      `SELECT value AS sha256 FROM json_each(?)
       WHERE NOT EXISTS (SELECT 1 FROM drive_blobs b WHERE b.sha256 = value)`,
    )
    .all(JSON.stringify(sums))
    .map(({ sha256 }) => sha256);

export const deleteBlobRow = (db: Store, sha256: string): void =>
  void db.raw.query("DELETE FROM drive_blobs WHERE sha256 = ?").run(sha256);

const UNUSED = `NOT EXISTS (SELECT 1 FROM drive_nodes n WHERE n.sha256 = b.sha256)
  AND NOT EXISTS (SELECT 1 FROM drive_versions v WHERE v.sha256 = b.sha256)
  AND NOT EXISTS (SELECT 1 FROM drive_uploads u WHERE u.sha256 = b.sha256)`;

/** Of the next so many contents after that one, those that no file has or had, nor an upload that is being finished; and the last of all. */
export function listUnusedBlobs(db: Store, after: string, limit: number): { unused: string[]; last: string | null } {
  const rows = db.raw
    .query<{ sha256: string; is_unused: number }, [string, number]>(
      `SELECT sha256, ${UNUSED} AS is_unused FROM drive_blobs b WHERE sha256 > ? ORDER BY sha256 LIMIT ?`,
    )
    .all(after, limit);
  const unused = rows.filter(({ is_unused }) => is_unused === 1).map(({ sha256 }) => sha256);
  return { unused, last: rows.at(-1)?.sha256 ?? null };
}

/** Whether no file has that content. */
export const isUnused = (db: Store, sha256: string): boolean =>
  db.raw.query(`SELECT 1 FROM drive_blobs b WHERE b.sha256 = ? AND ${UNUSED}`).get(sha256) !== null;

import type { Store } from "../../../kernel/db/store.ts";

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

/** A node of that user, in the trash or not. */
export const findNode = (db: Store, userId: string, id: string): NodeRow | null =>
  db.raw.query<NodeRow, [string, string]>("SELECT * FROM drive_nodes WHERE user_id = ? AND id = ?").get(userId, id);

/** A node and the folders above it, the node first. */
export const listWay = (db: Store, userId: string, id: string): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string]>(
      `WITH RECURSIVE way (id, above) AS (
         SELECT id, 0 FROM drive_nodes WHERE user_id = ? AND id = ?
         UNION ALL
         SELECT n.parent_id, above + 1 FROM way JOIN drive_nodes n ON n.id = way.id WHERE n.parent_id IS NOT NULL
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

export const countNodes = (db: Store, userId: string): number =>
  db.raw.query<{ count: number }, [string]>("SELECT count(*) AS count FROM drive_nodes WHERE user_id = ?").get(userId)
    ?.count ?? 0;

export function insertNode(db: Store, row: Omit<NodeRow, "trashed_at" | "starred_at" | "folded">): void {
  const { id, user_id, parent_id, is_file, name, sha256, size_bytes, created_at, changed_at } = row;
  db.raw
    .query(
      `INSERT INTO drive_nodes (id, user_id, parent_id, is_file, name, sha256, size_bytes, created_at, changed_at, folded)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, user_id, parent_id, is_file, name, sha256, size_bytes, created_at, changed_at, foldName(name));
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

const BELOW = `WITH RECURSIVE below (id, depth) AS (
    SELECT ?1, 1
    UNION ALL
    SELECT n.id, depth + 1 FROM below JOIN drive_nodes n ON n.parent_id = below.id WHERE n.trashed_at IS NULL
  )`;

/** How many levels a node has with what lies in it and is not in the trash; 1 for a file. */
export const depthBelow = (db: Store, id: string): number =>
  db.raw.query<{ depth: number }, [string]>(`${BELOW} SELECT max(depth) AS depth FROM below`).get(id)?.depth ?? 1;

/** How many there are of a node and what lies in it, counted no further than to a limit. */
export const countBelow = (db: Store, id: string, limit: number): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      `WITH RECURSIVE below (id) AS (
         SELECT ?1
         UNION ALL
         SELECT n.id FROM below JOIN drive_nodes n ON n.parent_id = below.id WHERE n.trashed_at IS NULL LIMIT ?2
       ) SELECT count(*) AS count FROM below`,
    )
    .get(id, limit)?.count ?? 0;

/** The same with what was put into the trash by itself. */
export const countAllBelow = (db: Store, id: string, limit: number): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      `WITH RECURSIVE below (id) AS (
         SELECT ?1 UNION ALL SELECT n.id FROM below JOIN drive_nodes n ON n.parent_id = below.id LIMIT ?2
       ) SELECT count(*) AS count FROM below`,
    )
    .get(id, limit)?.count ?? 0;

/** Ids of what lies in a folder on all levels and was not put into the trash by itself, what lies deepest first. */
export const listIdsBelow = (db: Store, id: string): string[] =>
  db.raw
    .query<{ id: string }, [string]>(`${BELOW} SELECT id FROM below WHERE depth > 1 ORDER BY depth DESC`)
    .all(id)
    .map((row) => row.id);

/** What lies in a folder on all levels and is not in the trash, folders before what is in them. */
export const listBelow = (db: Store, id: string, limit: number): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, number]>(
      `${BELOW} SELECT n.* FROM below JOIN drive_nodes n ON n.id = below.id WHERE below.depth > 1
       ORDER BY below.depth LIMIT ?2`,
    )
    .all(id, limit);

/** What is not in the trash itself and has that in its name, the last changed first. */
export const searchRows = (
  db: Store,
  userId: string,
  { part, starred, limit }: { part: string; starred: boolean; limit: number },
): NodeRow[] =>
  db.raw
    .query<NodeRow, [string, string, number]>(
      `SELECT * FROM drive_nodes WHERE user_id = ? AND trashed_at IS NULL AND instr(folded, ?) > 0
       ${starred ? "AND starred_at IS NOT NULL" : ""} ORDER BY changed_at DESC, id DESC LIMIT ?`,
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

/** Removes these nodes; whatever lies in them goes, too. */
export const deleteNodes = (db: Store, ids: readonly string[]): void =>
  void db.raw.query("DELETE FROM drive_nodes WHERE id IN (SELECT value FROM json_each(?))").run(JSON.stringify(ids));

/** When what is on its way out was put into the trash: before anything else, and nobody finds it there. */
export const LEAVING = 0;

/** Lets all leave that has been in the trash since before that time. */
export const letLeaveBefore = (db: Store, at: number): void =>
  void db.raw
    .query("UPDATE drive_nodes SET trashed_at = ? WHERE trashed_at IS NOT NULL AND trashed_at <= ?")
    .run(LEAVING, at);

/** What is on its way out, without what lies in it. */
export const listLeaving = (db: Store, limit: number): string[] =>
  db.raw
    .query<{ id: string }, [number, number]>("SELECT id FROM drive_nodes WHERE trashed_at = ? LIMIT ?")
    .all(LEAVING, limit)
    .map(({ id }) => id);

export const noteBlob = (db: Store, sha256: string): void =>
  void db.raw.query("INSERT OR IGNORE INTO drive_blobs (sha256) VALUES (?)").run(sha256);

export const deleteBlobRow = (db: Store, sha256: string): void =>
  void db.raw.query("DELETE FROM drive_blobs WHERE sha256 = ?").run(sha256);

const UNUSED = `NOT EXISTS (SELECT 1 FROM drive_nodes n WHERE n.sha256 = b.sha256)
  AND NOT EXISTS (SELECT 1 FROM drive_versions v WHERE v.sha256 = b.sha256)
  AND NOT EXISTS (SELECT 1 FROM drive_uploads u WHERE u.sha256 = b.sha256)`;

/** Contents that no file has or had, nor an upload that is being finished. */
export const listUnusedBlobs = (db: Store): string[] =>
  db.raw
    .query<{ sha256: string }, []>(`SELECT sha256 FROM drive_blobs b WHERE ${UNUSED}`)
    .all()
    .map(({ sha256 }) => sha256);

/** Whether no file has that content. */
export const isUnused = (db: Store, sha256: string): boolean =>
  db.raw.query(`SELECT 1 FROM drive_blobs b WHERE b.sha256 = ? AND ${UNUSED}`).get(sha256) !== null;

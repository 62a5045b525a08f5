/** The Drives of a copy of this node's database, as they were at one moment. Older copies have fewer columns, so only the first are read. */
import { openForeignDatabase } from "../../../kernel/db/open-foreign.ts";

/** A file or folder of a copy that was not in the trash itself. */
export interface CopiedNode {
  id: string;
  parent_id: string | null;
  is_file: number;
  name: string;
  sha256: string | null;
  size_bytes: number;
}

/** What somebody's Drive had. */
export interface CopiedDrive {
  user_id: string;
  username: string;
  files: number;
  size_bytes: number;
}

/** A copy that is open. */
export interface DriveCopy {
  /** Drives with at least one file or folder, by the name of their owners. */
  listDrives(): CopiedDrive[];
  findNode(userId: string, id: string): CopiedNode | null;
  /** What lies in a folder, folders first, from the place after (isFile, name) on. */
  listChildren(
    userId: string,
    parentId: string | null,
    after: { isFile: number; name: string; limit: number },
  ): CopiedNode[];
  close(): void;
}

const COLUMNS = "id, parent_id, is_file, name, sha256, size_bytes";

/** Opens a copy of `main.db` to read it. Throws for a file that is none, and what `openForeignDatabase` throws. */
export function openDriveCopy(path: string): DriveCopy {
  const db = openForeignDatabase(path);
  return {
    listDrives: () =>
      db
        .query<CopiedDrive, []>(
          `SELECT u.id AS user_id, u.username, coalesce(sum(n.is_file), 0) AS files, coalesce(sum(n.size_bytes), 0) AS size_bytes
           FROM drive_nodes n JOIN users u ON u.id = n.user_id WHERE n.trashed_at IS NULL
           GROUP BY u.id ORDER BY u.username`,
        )
        .all(),
    findNode: (userId, id) =>
      db
        .query<CopiedNode, [string, string]>(
          `SELECT ${COLUMNS} FROM drive_nodes WHERE user_id = ? AND id = ? AND trashed_at IS NULL`,
        )
        .get(userId, id),
    listChildren: (userId, parentId, { isFile, name, limit }) =>
      db
        .query<CopiedNode, [string, string, number, string, number]>(
          `SELECT ${COLUMNS} FROM drive_nodes
           WHERE user_id = ? AND ifnull(parent_id, '') = ? AND trashed_at IS NULL AND (is_file, name) > (?, ?)
           ORDER BY is_file, name LIMIT ?`,
        )
        .all(userId, parentId ?? "", isFile, name, limit),
    close: () => db.close(),
  };
}

import type { Store } from "../../../kernel/db/store.ts";

/** A row of `restic_repositories`. */
export interface ResticRow {
  id: string;
  type: "local" | "s3" | "sftp" | "webdav";
  name: string;
  path: string;
  /** Sealed: the place and the password. */
  opening: string;
  version: number;
  created_at: string;
  read_at: string | null;
}

export const listRepositories = (db: Store): ResticRow[] =>
  db.raw.query<ResticRow, []>("SELECT * FROM restic_repositories ORDER BY name").all();

export const findRepository = (db: Store, id: string): ResticRow | null =>
  db.raw.query<ResticRow, [string]>("SELECT * FROM restic_repositories WHERE id = ?").get(id);

export function insertRepository(db: Store, row: ResticRow): void {
  const { id, type, name, path, opening, version, created_at, read_at } = row;
  db.raw
    .query(
      `INSERT INTO restic_repositories (id, type, name, path, opening, version, created_at, read_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, type, name, path, opening, version, created_at, read_at);
}

export function markRead(db: Store, id: string, at: string): void {
  db.raw.query("UPDATE restic_repositories SET read_at = ? WHERE id = ?").run(at, id);
}

export function deleteRepository(db: Store, id: string): void {
  db.raw.query("DELETE FROM restic_repositories WHERE id = ?").run(id);
}

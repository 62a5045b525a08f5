import type { Store } from "../../../kernel/db/store.ts";

/** A row of `drop_offs`; times are milliseconds since 1970. */
export interface DropOffRow {
  id: string;
  name: string;
  path: string;
  key_hash: string;
  quota_bytes: number;
  used_bytes: number;
  files: number;
  append_only: number;
  expires_at: number | null;
  created_at: string;
  last_used_at: number | null;
}

export const listDropOffs = (db: Store): DropOffRow[] =>
  db.raw.query<DropOffRow, []>("SELECT * FROM drop_offs ORDER BY name").all();

export const findDropOff = (db: Store, id: string): DropOffRow | null =>
  db.raw.query<DropOffRow, [string]>("SELECT * FROM drop_offs WHERE id = ?").get(id);

export function insertDropOff(db: Store, row: DropOffRow): void {
  db.raw
    .query(
      `INSERT INTO drop_offs (id, name, path, key_hash, quota_bytes, used_bytes, files, append_only, expires_at, created_at, last_used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.name,
      row.path,
      row.key_hash,
      row.quota_bytes,
      row.used_bytes,
      row.files,
      row.append_only,
      row.expires_at,
      row.created_at,
      row.last_used_at,
    );
}

type Changed = Pick<DropOffRow, "id" | "name" | "quota_bytes" | "append_only" | "expires_at">;

export function changeDropOff(db: Store, { id, name, quota_bytes, append_only, expires_at }: Changed): void {
  db.raw
    .query("UPDATE drop_offs SET name = ?, quota_bytes = ?, append_only = ?, expires_at = ? WHERE id = ?")
    .run(name, quota_bytes, append_only, expires_at, id);
}

export function writeKeyHash(db: Store, id: string, hash: string): void {
  db.raw.query("UPDATE drop_offs SET key_hash = ? WHERE id = ?").run(hash, id);
}

export function deleteDropOff(db: Store, id: string): void {
  db.raw.query("DELETE FROM drop_offs WHERE id = ?").run(id);
}

export function markUsed(db: Store, id: string, at: number): void {
  db.raw.query("UPDATE drop_offs SET last_used_at = ? WHERE id = ?").run(at, id);
}

/** What lies in a place: what its files are counted as, and how many they are. */
export type Filled = Pick<DropOffRow, "used_bytes" | "files">;

/** Takes room for one more file; false where that is too much of either. */
export const takeRoom = (db: Store, id: string, bytes: number, mostFiles: number): boolean =>
  db.raw
    .query(
      `UPDATE drop_offs SET used_bytes = used_bytes + ?, files = files + 1
       WHERE id = ? AND used_bytes + ? <= quota_bytes AND files < ?`,
    )
    .run(bytes, id, bytes, mostFiles).changes === 1;

/** Gives back the room of one file. */
export function giveRoom(db: Store, id: string, bytes: number): void {
  db.raw
    .query("UPDATE drop_offs SET used_bytes = max(0, used_bytes - ?), files = max(0, files - 1) WHERE id = ?")
    .run(bytes, id);
}

export function writeFilled(db: Store, id: string, { used_bytes, files }: Filled): void {
  db.raw.query("UPDATE drop_offs SET used_bytes = ?, files = ? WHERE id = ?").run(used_bytes, files, id);
}

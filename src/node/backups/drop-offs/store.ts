import type { Store } from "../../../kernel/db/store.ts";

/** A row of `drop_offs`; times are milliseconds since 1970. */
export interface DropOffRow {
  id: string;
  name: string;
  path: string;
  key_hash: string;
  quota_bytes: number;
  used_bytes: number;
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
      `INSERT INTO drop_offs (id, name, path, key_hash, quota_bytes, used_bytes, append_only, expires_at, created_at, last_used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.name,
      row.path,
      row.key_hash,
      row.quota_bytes,
      row.used_bytes,
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

/** Takes bytes of what it may have; false where that is too much. */
export const takeBytes = (db: Store, id: string, bytes: number): boolean =>
  db.raw
    .query("UPDATE drop_offs SET used_bytes = used_bytes + ? WHERE id = ? AND used_bytes + ? <= quota_bytes")
    .run(bytes, id, bytes).changes === 1;

export function giveBytes(db: Store, id: string, bytes: number): void {
  db.raw.query("UPDATE drop_offs SET used_bytes = max(0, used_bytes - ?) WHERE id = ?").run(bytes, id);
}

export function writeUsed(db: Store, id: string, bytes: number): void {
  db.raw.query("UPDATE drop_offs SET used_bytes = ? WHERE id = ?").run(bytes, id);
}

import type { Store } from "../../../kernel/db/store.ts";

export function insertAvatar(db: Store, sha256: string, png: Uint8Array): void {
  db.raw.query("INSERT OR IGNORE INTO avatars (sha256, png) VALUES (?, ?)").run(sha256, png);
}

export function findAvatar(db: Store, sha256: string): Uint8Array<ArrayBuffer> | null {
  const sql = "SELECT png FROM avatars WHERE sha256 = ?";
  return db.raw.query<{ png: Uint8Array<ArrayBuffer> }, [string]>(sql).get(sha256)?.png ?? null;
}

export function deleteAvatar(db: Store, sha256: string): void {
  db.raw.query("DELETE FROM avatars WHERE sha256 = ?").run(sha256);
}

/** Hashes of all pictures; at most one for each account. */
export function listAvatarNames(db: Store): string[] {
  return db.raw
    .query<{ sha256: string }, []>("SELECT sha256 FROM avatars")
    .all()
    .map(({ sha256 }) => sha256);
}

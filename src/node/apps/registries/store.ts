import type { Store } from "../../../kernel/db/store.ts";

/** A row of `registries`. */
export interface RegistryRow {
  id: string;
  address: string;
  username: string;
  /** Sealed. */
  secret: string;
  created_at: string;
}

export function listRegistries(db: Store): RegistryRow[] {
  return db.raw.query<RegistryRow, []>("SELECT * FROM registries ORDER BY address").all();
}

export function findRegistry(db: Store, id: string): RegistryRow | null {
  return db.raw.query<RegistryRow, [string]>("SELECT * FROM registries WHERE id = ?").get(id);
}

export function insertRegistry(db: Store, { id, address, username, secret, created_at }: RegistryRow): void {
  db.raw
    .query("INSERT INTO registries (id, address, username, secret, created_at) VALUES (?, ?, ?, ?, ?)")
    .run(id, address, username, secret, created_at);
}

export function deleteRegistry(db: Store, id: string): void {
  db.raw.query("DELETE FROM registries WHERE id = ?").run(id);
}

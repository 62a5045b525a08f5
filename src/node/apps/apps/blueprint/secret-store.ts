import type { Store } from "../../../../kernel/db/store.ts";

export interface SecretRow {
  app_id: string;
  key: string;
  label: string;
  sealed: string;
}

export function listSecretRows(db: Store, appId: string): SecretRow[] {
  return db.raw.query<SecretRow, [string]>("SELECT * FROM app_secrets WHERE app_id = ? ORDER BY key").all(appId);
}

/** Adds a secret; one of that key that exists already stays as it is. */
export function insertSecret(db: Store, row: SecretRow): void {
  db.raw
    .query("INSERT OR IGNORE INTO app_secrets (app_id, key, label, sealed) VALUES (?, ?, ?, ?)")
    .run(row.app_id, row.key, row.label, row.sealed);
}

export function deleteSecrets(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_secrets WHERE app_id = ?").run(appId);
}

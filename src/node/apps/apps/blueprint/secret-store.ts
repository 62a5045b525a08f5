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

/** Puts a new value in a secret's place. The latest value that the app worked with is kept beside it. */
export function replaceSecret(db: Store, { app_id, key, sealed }: Omit<SecretRow, "label">): void {
  db.raw
    .query(
      `INSERT OR IGNORE INTO app_former_secrets (app_id, key, sealed)
       SELECT app_id, key, sealed FROM app_secrets WHERE app_id = ? AND key = ?`,
    )
    .run(app_id, key);
  db.raw.query("UPDATE app_secrets SET sealed = ? WHERE app_id = ? AND key = ?").run(sealed, app_id, key);
}

/** The values that an app worked with before its secrets were renewed, until it has worked with the new ones. */
export function listFormerSecretRows(db: Store, appId: string): Omit<SecretRow, "label">[] {
  return db.raw
    .query<Omit<SecretRow, "label">, [string]>("SELECT app_id, key, sealed FROM app_former_secrets WHERE app_id = ?")
    .all(appId);
}

/** The app works with its secrets as they are: what they were is not needed any more. */
export function forgetFormerSecrets(db: Store, appId: string): void {
  db.raw.query("DELETE FROM app_former_secrets WHERE app_id = ?").run(appId);
}

/** Puts the values back that the app worked with. Returns what people call those secrets; none when nothing was renewed. */
export function restoreFormerSecrets(db: Store, appId: string): string[] {
  const labels = db.raw
    .query<{ label: string }, [string]>(
      `UPDATE app_secrets SET sealed = former.sealed FROM app_former_secrets AS former
       WHERE former.app_id = app_secrets.app_id AND former.key = app_secrets.key AND app_secrets.app_id = ?
       RETURNING label`,
    )
    .all(appId)
    .map(({ label }) => label);
  forgetFormerSecrets(db, appId);
  return labels.toSorted();
}

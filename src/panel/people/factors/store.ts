import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

type System = SystemDb | SystemTx;

export interface TotpRow {
  account_id: string;
  secret: string;
  enabled_at: number | null;
}

export function findTotp(db: System, accountId: string): Promise<TotpRow | null> {
  return db.get("SELECT account_id, secret, enabled_at FROM totp WHERE account_id = ?", [accountId]);
}

/** Keeps a secret that is not active yet, replacing an earlier one that was never active. */
export async function saveDraft(tx: SystemTx, accountId: string, secret: string): Promise<void> {
  await tx.run(
    `INSERT INTO totp (account_id, secret) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, last_step = 0`,
    [accountId, secret],
  );
}

export async function markEnabled(tx: SystemTx, accountId: string, at: number): Promise<void> {
  await tx.run("UPDATE totp SET enabled_at = ? WHERE account_id = ?", [at, accountId]);
}

/** Claims a time step; false when its code, or a later one, was accepted before. */
export async function claimStep(tx: SystemTx, accountId: string, step: number): Promise<boolean> {
  const sql = "UPDATE totp SET last_step = ? WHERE account_id = ? AND last_step < ?";
  return (await tx.run(sql, [step, accountId, step])) === 1;
}

export async function deleteTotp(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM totp WHERE account_id = ?", [accountId]);
}

export async function insertRecoveryCode(tx: SystemTx, accountId: string, hash: string): Promise<void> {
  await tx.run("INSERT INTO recovery_codes (account_id, hash) VALUES (?, ?)", [accountId, hash]);
}

/** Uses a recovery code up; false when it is unknown or was used before. */
export async function deleteRecoveryCode(tx: SystemTx, accountId: string, hash: string): Promise<boolean> {
  return (await tx.run("DELETE FROM recovery_codes WHERE account_id = ? AND hash = ?", [accountId, hash])) === 1;
}

export async function deleteRecoveryCodes(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM recovery_codes WHERE account_id = ?", [accountId]);
}

export async function countRecoveryCodes(db: System, accountId: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM recovery_codes WHERE account_id = ?";
  return (await db.get<{ count: number }>(sql, [accountId]))?.count ?? 0;
}

export interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  /** base64url. */
  credential_id: string;
  /** base64url. */
  public_key: string;
  counter: number;
  /** JSON list. */
  transports: string;
  rp_id: string;
  created_at: number;
  last_used_at: number | null;
}

/** The keys of an account, the oldest first. */
export function listKeys(db: System, accountId: string): Promise<KeyRow[]> {
  return db.all("SELECT * FROM security_keys WHERE account_id = ? ORDER BY created_at, id", [accountId]);
}

export function findByCredentialId(db: System, credentialId: string): Promise<KeyRow | null> {
  return db.get("SELECT * FROM security_keys WHERE credential_id = ?", [credentialId]);
}

/** False when the key is registered already. */
export async function insertKey(tx: SystemTx, row: Omit<KeyRow, "last_used_at">): Promise<boolean> {
  const inserted = await tx.run(
    `INSERT INTO security_keys (id, account_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (credential_id) DO NOTHING`,
    [
      ...[row.id, row.account_id, row.name, row.credential_id, row.public_key, row.counter],
      ...[row.transports, row.rp_id, row.created_at],
    ],
  );
  return inserted === 1;
}

/**
 * Moves the signature counter on and notes the use; false when it would go backwards or stand still. Authenticators without a
 * counter always send 0.
 */
export async function advanceCounter(tx: SystemTx, id: string, counter: number, at: number): Promise<boolean> {
  const sql = `UPDATE security_keys SET counter = ?, last_used_at = ?
               WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))`;
  return (await tx.run(sql, [counter, at, id, counter, counter])) === 1;
}

/** False when the account has no such key. */
export async function renameKey(tx: SystemTx, accountId: string, id: string, name: string): Promise<boolean> {
  return (
    (await tx.run("UPDATE security_keys SET name = ? WHERE account_id = ? AND id = ?", [name, accountId, id])) === 1
  );
}

export async function deleteKey(tx: SystemTx, accountId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM security_keys WHERE account_id = ? AND id = ?", [accountId, id]);
}

export async function deleteKeys(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM security_keys WHERE account_id = ?", [accountId]);
}

/** How many keys and passkeys there are, of all accounts. */
export const countAllKeys = (tx: SystemTx): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM security_keys");

/** Statements that each select a row while the account, whose id the SQL expression gives, has a second factor or begins one. */
export const SELECT_FACTORS = ["security_keys", "totp", "recovery_codes"].map(
  (table) => (id: string) => `SELECT 1 FROM ${table} f WHERE f.account_id = ${id}`,
);

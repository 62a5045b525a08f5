import { sha256Hex } from "../../../lib/digest.ts";
import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

type System = SystemDb | SystemTx;

/** The address that is to take the place of an account's; null when none is, or the passphrase is another one since. */
export async function findPending(db: System, accountId: string, now: number): Promise<string | null> {
  const row = await db.get<{ email: string; passphrase: string; password_hash: string }>(
    `SELECT c.email, c.passphrase, a.password_hash FROM email_changes c JOIN accounts a ON a.id = c.account_id
     WHERE c.account_id = ? AND c.expires_at > ?`,
    [accountId, now],
  );
  return row !== null && row.passphrase === sha256Hex(row.password_hash) ? row.email : null;
}

export async function savePending(
  tx: SystemTx,
  { id, password_hash }: { id: string; password_hash: string },
  email: string,
  expiresAt: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO email_changes (account_id, email, passphrase, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO UPDATE SET email = excluded.email, passphrase = excluded.passphrase,
     expires_at = excluded.expires_at`,
    [id, email, sha256Hex(password_hash), expiresAt],
  );
}

export async function deletePending(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM email_changes WHERE account_id = ?", [accountId]);
}

export async function insertProof(
  tx: SystemTx,
  { hash, account_id, email, expires_at }: { hash: string; account_id: string; email: string; expires_at: number },
): Promise<void> {
  await tx.run("INSERT INTO email_proofs (hash, account_id, email, expires_at) VALUES (?, ?, ?, ?)", [
    ...[hash, account_id, email, expires_at],
  ]);
}

export function findProof(
  db: System,
  hash: string,
  now: number,
): Promise<{ account_id: string; email: string } | null> {
  return db.get("SELECT account_id, email FROM email_proofs WHERE hash = ? AND expires_at > ?", [hash, now]);
}

/** Takes back the links of an account. */
export async function deleteProofs(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM email_proofs WHERE account_id = ?", [accountId]);
}

/** How many links are good. */
export const countProofs = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM email_proofs WHERE expires_at > ?", [now]);

/** Takes back all links, and the changes of addresses that wait for one. */
export async function deleteAll(tx: SystemTx): Promise<void> {
  await tx.run("DELETE FROM email_proofs");
  await tx.run("DELETE FROM email_changes");
}

/** Takes back those of some accounts. */
export async function deleteAllOf(tx: SystemTx, accountIds: readonly string[]): Promise<void> {
  const places = accountIds.map(() => "?").join(", ");
  await tx.run(`DELETE FROM email_proofs WHERE account_id IN (${places})`, [...accountIds]);
  await tx.run(`DELETE FROM email_changes WHERE account_id IN (${places})`, [...accountIds]);
}

/** Forgets what has run out. */
export async function deleteExpired(db: SystemDb, now: number): Promise<void> {
  await db.run("DELETE FROM email_proofs WHERE expires_at <= ?", [now]);
  await db.run("DELETE FROM email_changes WHERE expires_at <= ?", [now]);
}

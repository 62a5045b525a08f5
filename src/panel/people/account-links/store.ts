import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import type { LinkKind } from "./contract.ts";

/** A link with the account that it is for; times in milliseconds. */
export interface LinkRow {
  account_id: string;
  kind: LinkKind;
  /** 1 when it went to the address of the account. */
  is_mailed: number;
  expires_at: number;
  email: string;
  display_name: string;
}

/** A link that is still good. One that was made for another address than the account has by now is not: somebody else may read that. */
export function findLink(db: SystemDb | SystemTx, hash: string, now: number): Promise<LinkRow | null> {
  return db.get(
    `SELECT l.account_id, l.kind, l.is_mailed, l.expires_at, a.email, a.display_name FROM account_links l
     JOIN accounts a ON a.id = l.account_id AND a.email = l.email WHERE l.hash = ? AND l.expires_at > ?`,
    [hash, now],
  );
}

/** Adds a link to those that the account has, for the address that it has. */
export async function insertLink(
  tx: SystemTx,
  row: { hash: string; account_id: string; kind: LinkKind; is_mailed: number; created_at: number; expires_at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO account_links (hash, account_id, kind, is_mailed, created_at, expires_at, email)
     SELECT ?, a.id, ?, ?, ?, ?, a.email FROM accounts a WHERE a.id = ?`,
    [...[row.hash, row.kind, row.is_mailed, row.created_at, row.expires_at, row.account_id]],
  );
}

/** Forgets what of them has run out. */
export async function deleteExpiredLinks(tx: SystemTx, accountId: string, now: number): Promise<void> {
  await tx.run("DELETE FROM account_links WHERE account_id = ? AND expires_at <= ?", [accountId, now]);
}

/** How many links are good. */
export const countLinks = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM account_links WHERE expires_at > ?", [now]);

/** Takes the links of all accounts back. */
export const deleteAllLinks = (tx: SystemTx): Promise<number> => tx.run("DELETE FROM account_links");

/** Takes all links of an account back. */
export async function deleteLinks(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM account_links WHERE account_id = ?", [accountId]);
}

/** Takes back all links of some accounts. */
export async function deleteLinksOf(tx: SystemTx, accountIds: readonly string[]): Promise<void> {
  const places = accountIds.map(() => "?").join(", ");
  await tx.run(`DELETE FROM account_links WHERE account_id IN (${places})`, [...accountIds]);
}

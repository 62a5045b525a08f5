import { lookedFor } from "../../addresses.ts";
import { countRows } from "../../data/count-rows.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { NO_PASSWORD } from "./store.ts";

/** How many of its former addresses are remembered of an account. */
const FORMER_MAX = 30;

const IS_PROVEN = `CASE WHEN a.email_verified = 1 OR a.password_hash = '${NO_PASSWORD}' THEN 1 ELSE 0 END`;

/** Remembers the address that an account is about to give up. */
async function rememberAddress(tx: SystemTx, accountId: string, now: number): Promise<void> {
  await tx.run(
    `INSERT INTO former_addresses (account_id, email, is_proven, until)
     SELECT a.id, a.email, ${IS_PROVEN}, ? FROM accounts a WHERE a.id = ?
     ON CONFLICT (account_id, email) DO UPDATE SET until = excluded.until,
       is_proven = CASE WHEN excluded.is_proven = 1 THEN 1 ELSE former_addresses.is_proven END`,
    [now, accountId],
  );
}

/** Forgets those that are too many, the oldest first. */
async function forgetOldest(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run(
    `DELETE FROM former_addresses WHERE account_id = ? AND email NOT IN
       (SELECT f.email FROM former_addresses f WHERE f.account_id = ? ORDER BY f.until DESC, f.email LIMIT ?)`,
    [accountId, accountId, FORMER_MAX],
  );
}

/** Gives an account another address, which has proven itself; false when another account has it. */
export async function updateEmail(tx: SystemTx, accountId: string, email: string, now: number): Promise<boolean> {
  const form = lookedFor(email);
  if ((await tx.get("SELECT 1 AS one FROM accounts WHERE email = ?", [form])) !== null) return false;
  await rememberAddress(tx, accountId, now);
  const sql = `UPDATE accounts SET email = ?, released_email = NULL
    WHERE id = ? AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.email = ?)`;
  const isMoved = (await tx.run(sql, [form, accountId, form])) === 1;
  // One that is taken again is no former one any more.
  if (isMoved) await tx.run("DELETE FROM former_addresses WHERE account_id = ? AND email = ?", [accountId, form]);
  await forgetOldest(tx, accountId);
  return isMoved;
}

/**
 * True while an account may give up its address for a wanted one: all that it had before are remembered still, as they are when it takes one
 * of them again. Whoever could have one forgotten would be known by it no more where they are removed.
 */
export async function hasRoomForAddress(tx: SystemTx, accountId: string, wanted: string): Promise<boolean> {
  const others = `SELECT count(*) AS count FROM former_addresses f WHERE f.account_id = ? AND f.email <> ?
    AND f.email <> (SELECT a.email FROM accounts a WHERE a.id = f.account_id)`;
  return (await countRows(tx, others, [accountId, lookedFor(wanted)])) < FORMER_MAX;
}

const SPARED = "email_verified = 0 AND password_hash <> ? AND global_role IS NULL";

/** Whether an account has an address that it never proved, and may do without. */
export async function maySpareAddress(tx: SystemTx, accountId: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM accounts WHERE id = ? AND ${SPARED}`;
  return (await tx.get(sql, [accountId, NO_PASSWORD])) !== null;
}

/** Takes its address off an account that never proved it; false for one that proved it, has no password, or is of the staff. */
export async function releaseEmail(tx: SystemTx, accountId: string, standIn: string, now: number): Promise<boolean> {
  if (!(await maySpareAddress(tx, accountId))) return false;
  await rememberAddress(tx, accountId, now);
  await forgetOldest(tx, accountId);
  const sql = `UPDATE accounts SET released_email = email, email = ? WHERE id = ? AND ${SPARED}`;
  return (await tx.run(sql, [standIn, accountId, NO_PASSWORD])) === 1;
}

import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";

export interface ResetRow {
  tenant_id: string;
  member_id: string;
  account_id: string;
  asked_by: string;
  asked_at: number;
  effective_at: number;
}

/** A reset with those it is about, for people. */
export interface ToldReset extends ResetRow {
  display_name: string;
  email: string;
  workspace: string;
  asker: string | null;
}

const TOLD = `SELECT r.tenant_id, r.member_id, r.account_id, r.asked_by, r.asked_at, r.effective_at, a.display_name, a.email,
  t.name AS workspace, (SELECT oa.display_name FROM members o JOIN accounts oa ON oa.id = o.account_id
    WHERE o.tenant_id = r.tenant_id AND o.id = r.asked_by) AS asker
  FROM factor_resets r JOIN accounts a ON a.id = r.account_id JOIN tenants t ON t.tenant_id = r.tenant_id`;

/** Those of a workspace, the first to take effect first. */
export const listResets = (db: TenantDb, limit: number): Promise<ToldReset[]> =>
  db.all(`${TOLD} WHERE r.tenant_id = :tenant ORDER BY r.effective_at, r.member_id LIMIT ?`, [limit]);

/** Those of an account, in whatever workspaces. */
export const listResetsOf = (db: SystemDb | SystemTx, accountId: string): Promise<ToldReset[]> =>
  db.all(`${TOLD} WHERE r.account_id = ? ORDER BY r.effective_at, r.tenant_id LIMIT 100`, [accountId]);

/** Those whose time has come. */
export const listDue = (db: SystemDb, now: number, limit: number): Promise<ToldReset[]> =>
  db.all(`${TOLD} WHERE r.effective_at <= ? ORDER BY r.effective_at, r.tenant_id, r.member_id LIMIT ?`, [now, limit]);

export const findReset = (db: SystemDb | SystemTx, tenantId: string, memberId: string): Promise<ToldReset | null> =>
  db.get(`${TOLD} WHERE r.tenant_id = ? AND r.member_id = ?`, [tenantId, memberId]);

export async function insertReset(tx: SystemTx, row: ResetRow): Promise<void> {
  await tx.run(
    `INSERT INTO factor_resets (tenant_id, member_id, account_id, asked_by, asked_at, effective_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [row.tenant_id, row.member_id, row.account_id, row.asked_by, row.asked_at, row.effective_at],
  );
}

/** False when there is none any more. */
export async function deleteReset(tx: SystemTx, tenantId: string, memberId: string): Promise<boolean> {
  const sql = "DELETE FROM factor_resets WHERE tenant_id = ? AND member_id = ?";
  return (await tx.run(sql, [tenantId, memberId])) === 1;
}

/** Takes back those of an account in every workspace. */
export async function deleteResetsOf(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("DELETE FROM factor_resets WHERE account_id = ?", [accountId]);
}

/** How many wait for their time. */
export const countResets = (tx: SystemTx): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM factor_resets");

/** Takes all of them back. */
export const deleteAllResets = (tx: SystemTx): Promise<number> => tx.run("DELETE FROM factor_resets");

/** True when an account is in a workspace besides this one that the asker does not own. */
export async function isElsewhere(
  tx: SystemTx,
  accountId: string,
  tenantId: string,
  askerAccountId: string,
): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 AS one FROM members m WHERE m.account_id = ? AND m.tenant_id <> ? AND m.status = 'active'
     AND NOT EXISTS (SELECT 1 FROM members o WHERE o.tenant_id = m.tenant_id AND o.account_id = ?
       AND o.role = 'org_owner' AND o.status = 'active') LIMIT 1`,
    [accountId, tenantId, askerAccountId],
  );
  return found !== null;
}

/** The owners of a workspace who can sign in. */
export const listOwners = (
  tx: SystemTx,
  tenantId: string,
): Promise<{ member_id: string; email: string; display_name: string }[]> =>
  tx.all(
    `SELECT m.id AS member_id, a.email, a.display_name FROM members m JOIN accounts a ON a.id = m.account_id
     WHERE m.tenant_id = ? AND m.role = 'org_owner' AND m.status = 'active' ORDER BY m.id LIMIT 100`,
    [tenantId],
  );

import type { PanelTx } from "../../base.ts";
import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";
import type { AuditLine, By } from "../../event-meaning.ts";

/** An entry before it is stored; `at` in milliseconds. */
export interface NewEntry extends By, AuditLine {
  id: string;
  at: number;
  action: string;
}

const INSERT =
  "INSERT INTO audit_entries (tenant_id, id, at, member_id, account_id, action, subject_id, details, ip) VALUES";

/** Writes an entry. In a transaction of one workspace it belongs to that one, whatever it says. */
export async function insertEntry(tx: PanelTx, entry: NewEntry): Promise<void> {
  const values = [
    ...[entry.id, entry.at, entry.member_id, entry.account_id],
    ...[entry.action, entry.subject_id, JSON.stringify(entry.details), entry.ip],
  ];
  if ("tenant_id" in tx) await tx.run(`${INSERT} (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)`, values);
  else await tx.run(`${INSERT} (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [entry.tenant_id, ...values]);
}

/**
 * True when the workspace's audit log names the member for more than coming and going. Asked while a member leaves, which is
 * across workspaces.
 */
export async function isAudited(tx: SystemTx, tenantId: string, memberId: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM audit_entries WHERE tenant_id = ? AND member_id = ? AND action NOT LIKE 'account.%' LIMIT 1`;
  return (await tx.get(sql, [tenantId, memberId])) !== null;
}

/** The same, asked by the workspace itself. */
export async function isAuditedHere(tx: TenantTx, memberId: string): Promise<boolean> {
  const sql =
    "SELECT 1 AS one FROM audit_entries WHERE tenant_id = :tenant AND member_id = ? AND action NOT LIKE 'account.%' LIMIT 1";
  return (await tx.get(sql, [memberId])) !== null;
}

/** Removes at most `limit` entries of before `at` (milliseconds), of all workspaces; gives how many. */
export function deleteBefore(db: SystemDb, at: number, limit: number): Promise<number> {
  const old = "SELECT tenant_id, id FROM audit_entries WHERE at < ? ORDER BY at LIMIT ?";
  return db.run(`DELETE FROM audit_entries WHERE (tenant_id, id) IN (${old})`, [at, limit]);
}

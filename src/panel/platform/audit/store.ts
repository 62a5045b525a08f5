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

/** The workspaces that entries are of; each is looked up once, however many entries it has. */
export async function listNamed(db: SystemDb): Promise<string[]> {
  const rows = await db.all<{ tenant_id: string }>(
    `WITH RECURSIVE named(tenant_id) AS (SELECT min(tenant_id) FROM audit_entries UNION ALL
       SELECT (SELECT min(e.tenant_id) FROM audit_entries e WHERE e.tenant_id > named.tenant_id) FROM named
       WHERE named.tenant_id IS NOT NULL)
     SELECT tenant_id FROM named WHERE tenant_id IS NOT NULL`,
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Removes at most `limit` entries of a workspace; gives how many. */
export function deleteOf(db: SystemDb, tenantId: string, limit: number): Promise<number> {
  const some = "SELECT id FROM audit_entries WHERE tenant_id = ? ORDER BY id LIMIT ?";
  return db.run(`DELETE FROM audit_entries WHERE tenant_id = ? AND id IN (${some})`, [tenantId, tenantId, limit]);
}

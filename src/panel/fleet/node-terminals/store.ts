import type { TenantDb } from "../../data/tenant-db.ts";

/** Role of the member whom a session belongs to, while both are good and the workspace is open; null otherwise. */
export async function findRole(db: TenantDb, sessionId: string, memberId: string): Promise<string | null> {
  const row = await db.get<{ role: string }>(
    `SELECT m.role FROM sessions s
     JOIN members m ON m.tenant_id = s.tenant_id AND m.id = s.member_id
     JOIN tenants t ON t.tenant_id = s.tenant_id
     WHERE s.tenant_id = :tenant AND s.id = ? AND s.member_id = ? AND s.ended_at IS NULL
       AND s.replaced_at IS NULL AND m.status = 'active'
       AND t.status = 'active'`,
    [sessionId, memberId],
  );
  return row?.role ?? null;
}

/** Whether a member is one of the panel's staff, with a second factor or without. */
export async function isOfStaff(db: TenantDb, memberId: string): Promise<boolean> {
  const row = await db.get<{ global_role: string | null }>(
    `SELECT a.global_role FROM members m JOIN accounts a ON a.id = m.account_id
     WHERE m.tenant_id = :tenant AND m.id = ?`,
    [memberId],
  );
  return row !== null && row.global_role !== null;
}

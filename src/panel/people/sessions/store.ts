import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

export interface SessionRow {
  tenant_id: string;
  id: string;
  member_id: string;
  account_id: string;
  created_at: number;
  replaced_at: number | null;
  ended_at: number | null;
}

export function findSession(db: SystemDb | SystemTx, tenantId: string, id: string): Promise<SessionRow | null> {
  return db.get("SELECT * FROM sessions WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

export async function insertSession(
  tx: SystemTx,
  row: Pick<SessionRow, "tenant_id" | "id" | "member_id" | "account_id" | "created_at">,
): Promise<void> {
  await tx.run("INSERT INTO sessions (tenant_id, id, member_id, account_id, created_at) VALUES (?, ?, ?, ?, ?)", [
    row.tenant_id,
    row.id,
    row.member_id,
    row.account_id,
    row.created_at,
  ]);
}

/** False when it had been replaced already. */
export async function replaceSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<boolean> {
  const sql = "UPDATE sessions SET replaced_at = ? WHERE tenant_id = ? AND id = ? AND replaced_at IS NULL";
  return (await tx.run(sql, [at, tenantId, id])) === 1;
}

/** Ends every session of an account but one. */
export async function endOtherSessions(tx: SystemTx, accountId: string, keepId: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE account_id = ? AND id <> ? AND ended_at IS NULL", [
    at,
    accountId,
    keepId,
  ]);
}

/** Ends one session; its tokens are good for nothing from then on. */
export async function endSession(db: SystemDb | SystemTx, tenantId: string, id: string, at: number): Promise<void> {
  await db.run("UPDATE sessions SET ended_at = ? WHERE tenant_id = ? AND id = ? AND ended_at IS NULL", [
    at,
    tenantId,
    id,
  ]);
}

import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";

export interface SessionRow {
  tenant_id: string;
  id: string;
  member_id: string;
  account_id: string;
  created_at: number;
  replaced_at: number | null;
  ended_at: number | null;
  /** The id of the session that the sign-in began with; those that took its place have it too. */
  family: string;
  /** The network that it began in, as limits count them; empty when nobody wrote it down. */
  network: string;
  renewed_at: number;
}

export function findSession(db: SystemDb | SystemTx, tenantId: string, id: string): Promise<SessionRow | null> {
  return db.get("SELECT * FROM sessions WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

export async function insertSession(
  tx: SystemTx,
  row: Omit<SessionRow, "replaced_at" | "ended_at" | "renewed_at">,
): Promise<void> {
  await tx.run(
    `INSERT INTO sessions (tenant_id, id, member_id, account_id, created_at, family, network, renewed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.tenant_id, row.id, row.member_id, row.account_id, row.created_at, row.family, row.network, row.created_at],
  );
}

/** Notes that the session's token was made anew. */
export async function renewSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET renewed_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

/** Ends the sessions of an account but for the `keep` that were used last. */
export async function endSurplusSessions(tx: SystemTx, accountId: string, keep: number, at: number): Promise<void> {
  await tx.run(
    `UPDATE sessions SET ended_at = ? WHERE account_id = ? AND ended_at IS NULL AND id NOT IN (
       SELECT id FROM sessions WHERE account_id = ? AND ended_at IS NULL ORDER BY renewed_at DESC, id DESC LIMIT ?)`,
    [at, accountId, accountId, keep],
  );
}

/** True when the account signed in from this network lately. */
export async function isKnownNetwork(db: SystemDb | SystemTx, accountId: string, network: string): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM sessions WHERE account_id = ? AND network = ? LIMIT 1";
  return (await db.get(sql, [accountId, network])) !== null;
}

/** Forgets the sessions whose token was made before `before` (milliseconds). */
export async function deleteOldSessions(db: SystemDb, before: number): Promise<void> {
  await db.run("DELETE FROM sessions WHERE renewed_at < ?", [before]);
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

/** Ends a session and all that took one another's place before and after it; their tokens are refused from then on. */
export async function endFamily(tx: SystemTx, accountId: string, family: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE account_id = ? AND family = ? AND ended_at IS NULL", [
    at,
    accountId,
    family,
  ]);
}

/** Ends every session of a member, asked for by the workspace itself. */
export async function endMemberSessions(tx: TenantTx, memberId: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE tenant_id = :tenant AND member_id = ? AND ended_at IS NULL", [
    at,
    memberId,
  ]);
}

import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";

export interface CodeRow {
  tenant_id: string;
  hash: string;
  node_id: string;
  member_id: string;
  redirect_uri: string;
  code_challenge: string;
  expires_at: number;
  used_at: number | null;
}

export async function insertCode(
  tx: TenantTx,
  row: Omit<CodeRow, "tenant_id" | "used_at"> & { created_at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO oauth_codes (tenant_id, hash, node_id, member_id, redirect_uri, code_challenge, created_at, expires_at)
     VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?)`,
    [row.hash, row.node_id, row.member_id, row.redirect_uri, row.code_challenge, row.created_at, row.expires_at],
  );
}

/** Forgets the workspace's codes that ended before `before`. */
export async function deleteOldCodes(tx: TenantTx, before: number): Promise<void> {
  await tx.run("DELETE FROM oauth_codes WHERE tenant_id = :tenant AND expires_at < ?", [before]);
}

/** Forgets the codes of a node that is forgotten. */
export async function deleteCodesOf(tx: SystemTx, node: { tenant_id: string; id: string }): Promise<void> {
  await tx.run("DELETE FROM oauth_codes WHERE tenant_id = ? AND node_id = ?", [node.tenant_id, node.id]);
}

/** Forgets the codes of whoever has an account, in all workspaces; gives how many that were. */
export function deleteCodesOfAccount(tx: SystemTx, accountId: string): Promise<number> {
  return tx.run(
    `DELETE FROM oauth_codes WHERE EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = oauth_codes.tenant_id
     AND m.id = oauth_codes.member_id AND m.account_id = ?)`,
    [accountId],
  );
}

/** How many codes are good, in all workspaces. */
export const countCodes = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM oauth_codes WHERE used_at IS NULL AND expires_at > ?", [now]);

/** Forgets the codes of all workspaces. */
export const deleteAllCodes = (tx: SystemTx): Promise<number> => tx.run("DELETE FROM oauth_codes");

const CODE =
  "SELECT tenant_id, hash, node_id, member_id, redirect_uri, code_challenge, expires_at, used_at FROM oauth_codes";

/** The code of any workspace: the caller has nothing but the code. */
export function findCode(db: SystemDb, hash: string): Promise<CodeRow | null> {
  return db.get(`${CODE} WHERE hash = ?`, [hash]);
}

/** Uses a code; null when it was used before. Of any number of callers one gets it. */
export function takeCode(db: SystemDb, tenantId: string, hash: string, now: number): Promise<CodeRow | null> {
  return db.tx((tx) =>
    tx.get(
      `UPDATE oauth_codes SET used_at = ? WHERE tenant_id = ? AND hash = ? AND used_at IS NULL
       RETURNING tenant_id, hash, node_id, member_id, redirect_uri, code_challenge, expires_at, used_at`,
      [now, tenantId, hash],
    ),
  );
}

const PERMITS = `staff_visits v JOIN staff_permits p ON p.tenant_id = v.tenant_id AND p.id = v.permit_id`;

/** Whether a member is one of the panel's staff who came in by a permit, and until when the one that is open holds; null without one. */
export async function findVisit(
  db: SystemDb,
  tenantId: string,
  memberId: string,
): Promise<{ is_visitor: boolean; until: number | null }> {
  const row = await db.get<{ visits: number; until: number | null }>(
    `SELECT count(*) AS visits, max(CASE WHEN p.ended_at IS NULL THEN p.ends_at END) AS until FROM ${PERMITS}
     JOIN members m ON m.tenant_id = v.tenant_id AND m.id = v.member_id JOIN accounts a ON a.id = m.account_id
     WHERE v.tenant_id = ? AND v.member_id = ? AND (a.global_role = 'admin' OR p.ended_at IS NULL)`,
    [tenantId, memberId],
  );
  return { is_visitor: Number(row?.visits ?? 0) > 0, until: row?.until == null ? null : Number(row.until) };
}

/** The accounts of staff whom a workspace lets in. */
export async function listVisitors(db: SystemDb, tenantId: string, now: number): Promise<string[]> {
  const rows = await db.all<{ account_id: string }>(
    `SELECT DISTINCT m.account_id FROM ${PERMITS}
     JOIN members m ON m.tenant_id = v.tenant_id AND m.id = v.member_id AND m.status = 'active'
     JOIN tenants t ON t.tenant_id = v.tenant_id AND t.status = 'active'
     WHERE v.tenant_id = ? AND p.ended_at IS NULL AND p.ends_at > ?`,
    [tenantId, now],
  );
  return rows.map(({ account_id }) => account_id);
}

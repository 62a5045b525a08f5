import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";

import type { RoleName } from "../tenants/contract.ts";

/** A token of a directory; times in milliseconds. */
export interface TokenRow {
  id: string;
  name: string;
  hint: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

const COLUMNS = "id, name, hint, created_at, expires_at, used_at";

export function listTokens(db: TenantDb): Promise<TokenRow[]> {
  return db.all(`SELECT ${COLUMNS} FROM scim_tokens WHERE tenant_id = :tenant ORDER BY created_at, id`);
}

export function findToken(tx: SystemTx, tenantId: string, id: string): Promise<TokenRow | null> {
  return tx.get(`SELECT ${COLUMNS} FROM scim_tokens WHERE tenant_id = ? AND id = ?`, [tenantId, id]);
}

export async function countTokens(tx: SystemTx, tenantId: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM scim_tokens WHERE tenant_id = ?";
  return (await tx.get<{ count: number }>(sql, [tenantId]))?.count ?? 0;
}

export async function insertToken(
  tx: SystemTx,
  tenantId: string,
  hash: string,
  row: TokenRow & { made_by_role: RoleName },
): Promise<void> {
  await tx.run(
    `INSERT INTO scim_tokens (tenant_id, id, name, token_hash, hint, created_at, expires_at, made_by_role)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [tenantId, row.id, row.name, hash, row.hint, row.created_at, row.expires_at, row.made_by_role],
  );
}

/** What whoever made a token was then; null where that is not known. */
export async function findMaker(tx: SystemTx, tenantId: string, id: string): Promise<string | null> {
  const sql = "SELECT made_by_role FROM scim_tokens WHERE tenant_id = ? AND id = ?";
  return (await tx.get<{ made_by_role: string | null }>(sql, [tenantId, id]))?.made_by_role ?? null;
}

export async function deleteToken(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM scim_tokens WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** Whose directory holds a token, with what its workspace is in; null for none. */
export function findByHash(
  db: SystemDb,
  hash: string,
): Promise<{
  id: string;
  tenant_id: string;
  expires_at: number;
  used_at: number | null;
  workspace: string;
  status: string;
} | null> {
  return db.get(
    `SELECT s.id, s.tenant_id, s.expires_at, s.used_at, t.name AS workspace, t.status FROM scim_tokens s
     JOIN tenants t ON t.tenant_id = s.tenant_id WHERE s.token_hash = ?`,
    [hash],
  );
}

export async function touchToken(db: SystemDb, tenantId: string, id: string, at: number): Promise<void> {
  await db.run("UPDATE scim_tokens SET used_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

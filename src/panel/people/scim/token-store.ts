import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";
import { makerMay } from "../../makers.ts";
import type { RoleName } from "../tenants/contract.ts";

/** A token of a directory; times in milliseconds. */
export interface TokenRow {
  id: string;
  name: string;
  hint: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  /** The member who answers for it; null for those of before this was kept. */
  made_by: string | null;
  /** 1 while that member may not have one: the directory is refused. */
  is_paused: number;
}

const IS_PAUSED = `CASE WHEN ${makerMay("scim_tokens", "made_by", "settings:write")} THEN 0 ELSE 1 END AS is_paused`;
const COLUMNS = `id, name, hint, created_at, expires_at, used_at, made_by, ${IS_PAUSED}`;

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

/** Who makes a token, and what they are then. */
interface Maker {
  made_by: string;
  made_by_role: RoleName;
}

export async function insertToken(
  tx: SystemTx,
  tenantId: string,
  hash: string,
  row: Pick<TokenRow, "id" | "name" | "hint" | "created_at" | "expires_at"> & Maker,
): Promise<void> {
  await tx.run(
    `INSERT INTO scim_tokens (tenant_id, id, name, token_hash, hint, created_at, expires_at, made_by_role, made_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [tenantId, row.id, row.name, hash, row.hint, row.created_at, row.expires_at, row.made_by_role, row.made_by],
  );
}

/** Makes a member answer for a token. */
export async function updateMaker(tx: SystemTx, tenantId: string, id: string, maker: Maker): Promise<void> {
  await tx.run(
    "UPDATE scim_tokens SET made_by = ?, made_by_role = ?, paused_at = NULL WHERE tenant_id = ? AND id = ?",
    [maker.made_by, maker.made_by_role, tenantId, id],
  );
}

/** How far a token reaches: what its maker was when they took it on, and what they are now, null where no maker is on record. */
export function findReach(
  tx: SystemTx,
  tenantId: string,
  id: string,
): Promise<(Pick<TokenRow, "name" | "is_paused"> & { role_then: string | null; role_now: string | null }) | null> {
  return tx.get(
    `SELECT name, ${IS_PAUSED}, made_by_role AS role_then, (SELECT m.role FROM members m
     WHERE m.tenant_id = scim_tokens.tenant_id AND m.id = scim_tokens.made_by) AS role_now
     FROM scim_tokens WHERE tenant_id = ? AND id = ?`,
    [tenantId, id],
  );
}

export async function deleteToken(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM scim_tokens WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** Takes back those of a workspace. */
export function deleteTokensOf(tx: SystemTx, tenantId: string): Promise<Pick<TokenRow, "id" | "name">[]> {
  return tx.all("DELETE FROM scim_tokens WHERE tenant_id = ? RETURNING id, name", [tenantId]);
}

/** How many are good, in all workspaces. */
export const countAllTokens = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM scim_tokens WHERE expires_at > ?", [now]);

/** Takes back those of all workspaces. */
export const deleteAllTokens = (tx: SystemTx): Promise<number> => tx.run("DELETE FROM scim_tokens");

/** Whose directory holds a token, with what its workspace is in; null for none. */
export function findByHash(
  db: SystemDb,
  hash: string,
): Promise<
  | (Pick<TokenRow, "id" | "name" | "expires_at" | "used_at" | "is_paused"> & {
      tenant_id: string;
      paused_at: number | null;
      workspace: string;
      status: string;
    })
  | null
> {
  return db.get(
    `SELECT scim_tokens.id, scim_tokens.name, scim_tokens.tenant_id, expires_at, used_at, paused_at, ${IS_PAUSED},
     t.name AS workspace, t.status FROM scim_tokens
     JOIN tenants t ON t.tenant_id = scim_tokens.tenant_id WHERE token_hash = ?`,
    [hash],
  );
}

/** Notes since when a token is refused, or with null that it is good again; false when that was noted already. */
export async function notePause(tx: SystemTx, tenantId: string, id: string, at: number | null): Promise<boolean> {
  const sql = `UPDATE scim_tokens SET paused_at = ? WHERE tenant_id = ? AND id = ? AND paused_at IS ${at === null ? "NOT NULL" : "NULL"}`;
  return (await tx.run(sql, [at, tenantId, id])) > 0;
}

export async function touchToken(db: SystemDb, tenantId: string, id: string, at: number): Promise<void> {
  await db.run("UPDATE scim_tokens SET used_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

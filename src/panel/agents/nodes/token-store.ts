import { rolesWith } from "../../access.ts";
import { countRows } from "../../data/count-rows.ts";
import type { SystemTx, TenantDb, TenantTx } from "../../data/tenant-db.ts";

/** A registration token as it is stored. Times in milliseconds, tags as JSON. */
export interface TokenRow {
  id: string;
  name: string;
  uses: number;
  max_uses: number;
  group_id: string | null;
  tags: string;
  created_at: number;
  expires_at: number;
}

const MAY_ENROL = rolesWith("fleet:write").map((role) => `'${role}'`);

/**
 * SQL that is true of a registration token whose maker could still make it: a member in such a role, or one of the staff as long as
 * the workspace lets them in. A node that registers takes the place of the one with its id, so nobody keeps that beyond their rights.
 */
export const BACKED = `EXISTS (SELECT 1 FROM members m JOIN accounts a ON a.id = m.account_id
  WHERE m.tenant_id = registration_tokens.tenant_id AND m.id = registration_tokens.created_by AND m.status = 'active'
  AND (m.role IN (${MAY_ENROL.join(", ")}) OR (a.global_role = 'admin' AND a.has_factor = 1)))`;

const GOOD = "expires_at > ? AND uses < max_uses AND revoked_at IS NULL";
const LIVING = `tenant_id = :tenant AND ${GOOD} AND ${BACKED}`;

/** Tokens that are still good, the newest first. */
export function listTokens(db: TenantDb, now: number, limit: number): Promise<TokenRow[]> {
  return db.all(
    `SELECT id, name, uses, max_uses, group_id, tags, created_at, expires_at FROM registration_tokens
     WHERE ${LIVING} ORDER BY created_at DESC, id DESC LIMIT ?`,
    [now, limit],
  );
}

export async function countTokens(tx: TenantTx, now: number): Promise<number> {
  const row = await tx.get<{ count: number }>(`SELECT count(*) AS count FROM registration_tokens WHERE ${LIVING}`, [
    now,
  ]);
  return row?.count ?? 0;
}

/** Tokens that are used up or were taken back, and are remembered: whoever still tries one is told of. */
const REMEMBERED_MAX = 500;
const SPENT = "tenant_id = :tenant AND (uses >= max_uses OR revoked_at IS NOT NULL)";

/** Forgets tokens that were of no use any more at `before`, and of those that are spent all but the 500 newest. */
export async function pruneTokens(tx: TenantTx, before: number): Promise<void> {
  await tx.run("DELETE FROM registration_tokens WHERE tenant_id = :tenant AND expires_at <= ?", [before]);
  await tx.run(
    `DELETE FROM registration_tokens WHERE ${SPENT} AND id NOT IN (
       SELECT id FROM registration_tokens WHERE ${SPENT} ORDER BY created_at DESC, id DESC LIMIT ?)`,
    [REMEMBERED_MAX],
  );
}

export async function insertToken(tx: TenantTx, row: TokenRow & { hash: string; created_by: string }): Promise<void> {
  await tx.run(
    `INSERT INTO registration_tokens (tenant_id, id, hash, name, group_id, tags, max_uses, created_by, created_at, expires_at)
     VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.id, row.hash, row.name, row.group_id, row.tags, row.max_uses, row.created_by, row.created_at, row.expires_at],
  );
}

/** Takes a token back; gives its name, or null when there is none that is still good. */
export async function endToken(tx: TenantTx, id: string, now: number): Promise<string | null> {
  const row = await tx.get<{ name: string }>(
    `UPDATE registration_tokens SET revoked_at = ? WHERE ${LIVING} AND id = ? RETURNING name`,
    [now, now, id],
  );
  return row?.name ?? null;
}

/** Takes back those of a workspace that are good, also those whose maker may not have them now. */
export function endTokens(tx: TenantTx, now: number): Promise<Pick<TokenRow, "id" | "name">[]> {
  const sql = `UPDATE registration_tokens SET revoked_at = ? WHERE tenant_id = :tenant AND ${GOOD} RETURNING id, name`;
  return tx.all(sql, [now, now]);
}

/** How many are good, in all workspaces. */
export const countAllTokens = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, `SELECT count(*) AS count FROM registration_tokens WHERE ${GOOD} AND ${BACKED}`, [now]);

/** Takes back those of all workspaces, also those whose maker may not have them now. */
export const endAllTokens = (tx: SystemTx, now: number): Promise<number> =>
  tx.run(`UPDATE registration_tokens SET revoked_at = ? WHERE ${GOOD}`, [now, now]);

/** A statement that selects the name of the workspace's registration token whose id the SQL expression `id` gives. */
export const selectTokenName = (id: string): string =>
  `SELECT name FROM registration_tokens WHERE tenant_id = :tenant AND id = ${id}`;

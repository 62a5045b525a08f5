import { lookedFor } from "../../addresses.ts";
import type { TenantQueries, TenantTx } from "../../data/tenant-db.ts";

/** How many a workspace remembers whose membership is gone: as many as a directory may ever bring. */
const REMOVED_MAX = 50_000;

/**
 * Remembers that somebody in the workspace removes a member, whom nothing brings back by itself from then on. False where there is no room
 * for more of those whose membership goes: it has to stay, disabled.
 */
export async function rememberRemoval(tx: TenantTx, memberId: string): Promise<boolean> {
  await tx.run(
    `INSERT INTO removed_members (tenant_id, account_id, email)
     SELECT m.tenant_id, m.account_id, a.email FROM members m JOIN accounts a ON a.id = m.account_id
     WHERE m.tenant_id = :tenant AND m.id = ?
     ON CONFLICT (tenant_id, account_id) DO UPDATE SET email = excluded.email`,
    [memberId],
  );
  const more = "SELECT 1 AS one FROM removed_members WHERE tenant_id = :tenant LIMIT 1 OFFSET ?";
  return (await tx.get(more, [REMOVED_MAX])) === null;
}

/** True for whom somebody in the workspace removed and nobody let in again since, by their address or the account that has it. */
export async function isRemoved(tx: TenantQueries, email: string, accountId: string | null): Promise<boolean> {
  const sql =
    "SELECT 1 AS one FROM removed_members WHERE tenant_id = :tenant AND (account_id = ? OR email = ?) LIMIT 1";
  return (await tx.get(sql, [accountId, lookedFor(email)])) !== null;
}

/** Forgets that a member was removed, whom somebody in the workspace lets in again. */
export async function forgetRemoval(tx: TenantTx, memberId: string): Promise<void> {
  const of = (column: string) =>
    `(SELECT ${column} FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant AND m.id = ?)`;
  await tx.run(
    `DELETE FROM removed_members WHERE tenant_id = :tenant AND (account_id = ${of("a.id")} OR email = ${of("a.email")})`,
    [memberId, memberId],
  );
}

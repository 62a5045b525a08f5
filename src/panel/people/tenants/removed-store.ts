import { lookedFor } from "../../addresses.ts";
import type { Mark, PanelLists } from "../../base.ts";
import type { TenantQueries, TenantTx } from "../../data/tenant-db.ts";

/** How many a workspace remembers whose membership is gone: as many as a directory may ever bring. */
const REMOVED_MAX = 50_000;

/** The mark of an address. */
export const markOf = (email: string): Mark => ({ kind: "address", value: lookedFor(email) });

/**
 * Remembers that somebody in the workspace removes a member, whom nothing brings back by itself from then on, by none of their marks. False
 * where there is no room for more of those whose membership goes: it has to stay, disabled.
 */
export async function rememberRemoval(lists: Pick<PanelLists, "marks">, tx: TenantTx, memberId: string) {
  const account = await tx.get<{ account_id: string }>(
    "SELECT account_id FROM members WHERE tenant_id = :tenant AND id = ?",
    [memberId],
  );
  if (account === null) return true;
  const { account_id } = account;
  await tx.run("INSERT INTO removed_members (tenant_id, account_id) VALUES (:tenant, ?) ON CONFLICT DO NOTHING", [
    account_id,
  ]);
  const marks = await listAddresses(tx, memberId);
  for (const list of lists.marks.all()) marks.push(...(await list(tx, memberId)));
  for (const { kind, value } of marks)
    if (kind !== "address" || !(await isOthers(tx, memberId, value)))
      await tx.run(
        `INSERT INTO removed_marks (tenant_id, account_id, kind, value) VALUES (:tenant, ?, ?, ?) ON CONFLICT DO NOTHING`,
        [account_id, kind, value],
      );
  const more = "SELECT 1 AS one FROM removed_members WHERE tenant_id = :tenant LIMIT 1 OFFSET ?";
  return (await tx.get(more, [REMOVED_MAX])) === null;
}

/**
 * The address of a member and those that their account had before. One that it never proved may be anybody's: it counts where the
 * workspace knew the member by it.
 */
async function listAddresses(tx: TenantTx, memberId: string): Promise<Mark[]> {
  const rows = await tx.all<{ email: string }>(
    `SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant AND m.id = ?
     UNION SELECT f.email FROM members m JOIN former_addresses f ON f.account_id = m.account_id
     WHERE m.tenant_id = :tenant AND m.id = ? AND (f.is_proven = 1 OR f.until > m.created_at)`,
    [memberId, memberId],
  );
  return rows.map(({ email }) => markOf(email));
}

/** True for an address that another member has by now, who stays. */
async function isOthers(tx: TenantTx, memberId: string, email: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM accounts a JOIN members m ON m.account_id = a.id
    WHERE m.tenant_id = :tenant AND m.id <> ? AND m.status = 'active' AND a.email = ?`;
  return (await tx.get(sql, [memberId, email])) !== null;
}

/**
 * True for whom somebody in the workspace removed and nobody let in again since, by their account or any of their marks. A name alone
 * tells nobody whom the directory tells apart from them by ids of its own.
 */
export async function isRemoved(tx: TenantQueries, accountId: string | null, marks: readonly Mark[]): Promise<boolean> {
  const known = "SELECT 1 AS one FROM removed_members WHERE tenant_id = :tenant AND account_id = ?";
  if (accountId !== null && (await tx.get(known, [accountId])) !== null) return true;
  const hasId = marks.some(({ kind }) => kind === "external_id");
  for (const { kind, value } of marks) {
    const more =
      kind === "name" && hasId
        ? ` AND NOT EXISTS (SELECT 1 FROM removed_marks o WHERE o.tenant_id = k.tenant_id AND o.account_id = k.account_id
           AND o.kind = 'external_id')`
        : "";
    const sql = `SELECT 1 AS one FROM removed_marks k WHERE k.tenant_id = :tenant AND k.kind = ? AND k.value = ?${more} LIMIT 1`;
    if ((await tx.get(sql, [kind, value])) !== null) return true;
  }
  return false;
}

/** Forgets that a member was removed, whom somebody in the workspace lets in again: by their account, or their address. */
export async function forgetRemoval(tx: TenantTx, memberId: string): Promise<void> {
  const of = (column: string) =>
    `(SELECT ${column} FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant AND m.id = ?)`;
  await tx.run(
    `DELETE FROM removed_members WHERE tenant_id = :tenant AND (account_id = ${of("a.id")} OR account_id IN (
       SELECT k.account_id FROM removed_marks k WHERE k.tenant_id = :tenant AND k.kind = 'address' AND k.value = ${of("a.email")}))`,
    [memberId, memberId],
  );
}

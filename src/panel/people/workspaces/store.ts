import type { Holding } from "../../base.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

export async function renameTenant(tx: SystemTx, tenantId: string, name: string): Promise<void> {
  await tx.run("UPDATE tenants SET name = ? WHERE tenant_id = ?", [name, tenantId]);
}

/** How much the workspace holds, by the names of the holdings. */
export async function countHeld(
  tx: SystemTx,
  holdings: readonly Holding[],
  tenantId: string,
): Promise<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const { name, count } of holdings)
    held[name] = (await tx.get<{ count: number }>(`SELECT (${count("?")}) AS count`, [tenantId]))?.count ?? 0;
  return held;
}

/**
 * Marks a workspace as deleted: from then on it is none of anybody's, its service provider's and the staff's neither, and what it still
 * has stands as in a suspended one.
 */
export async function markDeleted(tx: SystemTx, tenantId: string, at: number): Promise<void> {
  await tx.run(
    `UPDATE tenants SET deleted_at = ?, status = 'suspended', parent_tenant_id = NULL, require_2fa = 0, sign_in = NULL
     WHERE tenant_id = ?`,
    [at, tenantId],
  );
}

/** Workspaces that were deleted before a time and of which something is left. */
export async function listUnfinished(db: SystemDb, before: number): Promise<string[]> {
  const sql = "SELECT tenant_id FROM tenants WHERE deleted_at <= ? ORDER BY deleted_at";
  return (await db.all<{ tenant_id: string }>(sql, [before])).map(({ tenant_id }) => tenant_id);
}

/**
 * Deletes at most `limit` rows of a deleted workspace, of the first of these tables first, which name those that stand on others first.
 * Gives the tables that may have rows still.
 */
export async function deletePart(
  tx: SystemTx,
  engine: SystemDb["engine"],
  tables: readonly string[],
  tenantId: string,
  limit: number,
): Promise<readonly string[]> {
  let room = limit;
  for (const [index, table] of tables.entries()) {
    if (table === "tenants") continue;
    const some = (row: string) => `SELECT ${row} FROM ${table} WHERE tenant_id = ? LIMIT ?`;
    // PostgreSQL goes straight to rows that are named in this way.
    const which = engine === "sqlite" ? `rowid IN (${some("rowid")})` : `ctid = ANY (ARRAY(${some("ctid")}))`;
    room -= await tx.run(`DELETE FROM ${table} WHERE ${which}`, [tenantId, room]);
    if (room <= 0) return tables.slice(index);
  }
  return [];
}

/** Deletes every row of a workspace; `tables` name those that stand on others first. */
export async function deleteTenant(tx: SystemTx, tables: readonly string[], tenantId: string): Promise<void> {
  for (const table of tables) await tx.run(`DELETE FROM ${table} WHERE tenant_id = ?`, [tenantId]);
}

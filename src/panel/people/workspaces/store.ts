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

/** What nobody reads without the workspace and no row stands on: it goes after it in parts, as there is most of it. */
const GOES_LATER = "audit_entries";

/** Deletes every row of a workspace but its log; `tables` name those that stand on others first. */
export async function deleteTenant(tx: SystemTx, tables: readonly string[], tenantId: string): Promise<void> {
  for (const table of tables)
    if (table !== GOES_LATER) await tx.run(`DELETE FROM ${table} WHERE tenant_id = ?`, [tenantId]);
}

/** The ids of all workspaces. */
export async function listIds(db: SystemDb): Promise<string[]> {
  return (await db.all<{ tenant_id: string }>("SELECT tenant_id FROM tenants")).map(({ tenant_id }) => tenant_id);
}

import type { Holding } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";

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

/** Deletes every row of a workspace; `tables` name those that stand on others first. */
export async function deleteTenant(tx: SystemTx, tables: readonly string[], tenantId: string): Promise<void> {
  for (const table of tables) await tx.run(`DELETE FROM ${table} WHERE tenant_id = ?`, [tenantId]);
}

import type { UnreadSource } from "../../base.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";

/** How much is unread in each of the workspaces, by their ids. */
export async function countUnread(
  db: SystemDb,
  sources: readonly UnreadSource[],
  tenantIds: readonly string[],
): Promise<Map<string, number>> {
  if (sources.length === 0 || tenantIds.length === 0) return new Map();
  const sum = sources.map(({ count }) => `(${count("t.tenant_id")})`).join(" + ");
  const rows = await db.all<{ tenant_id: string; unread: number }>(
    `SELECT t.tenant_id, ${sum} AS unread FROM tenants t WHERE t.tenant_id IN (${tenantIds.map(() => "?").join(", ")})`,
    tenantIds,
  );
  return new Map(rows.map(({ tenant_id, unread }) => [tenant_id, unread]));
}

export async function renameTenant(tx: SystemTx, tenantId: string, name: string): Promise<void> {
  await tx.run("UPDATE tenants SET name = ? WHERE tenant_id = ?", [name, tenantId]);
}

/** What keeps a workspace from being deleted: its nodes, its clients, and nodes that a service provider has for it. */
export async function countInUse(
  tx: SystemTx,
  tenantId: string,
): Promise<{ nodes: number; clients: number; served: number }> {
  const counts = await tx.get<{ nodes: number; clients: number; served: number }>(
    `SELECT (SELECT count(*) FROM nodes WHERE tenant_id = ? AND deleted_at IS NULL) AS nodes,
     (SELECT count(*) FROM tenants WHERE parent_tenant_id = ?) AS clients,
     (SELECT count(*) FROM nodes WHERE client_id = ? AND deleted_at IS NULL) AS served`,
    [tenantId, tenantId, tenantId],
  );
  return counts ?? { nodes: 0, clients: 0, served: 0 };
}

/** Deletes every row of a workspace; `tables` name those that stand on others first. */
export async function deleteTenant(tx: SystemTx, tables: readonly string[], tenantId: string): Promise<void> {
  // Of nodes that are long deleted.
  await tx.run("UPDATE nodes SET client_id = NULL WHERE client_id = ?", [tenantId]);
  for (const table of tables) await tx.run(`DELETE FROM ${table} WHERE tenant_id = ?`, [tenantId]);
}

import type { SystemTx } from "../../data/tenant-db.ts";

/** The ids of all workspaces. */
export async function listTenantIds(tx: SystemTx): Promise<string[]> {
  const rows = await tx.all<{ tenant_id: string }>("SELECT tenant_id FROM tenants ORDER BY tenant_id");
  return rows.map(({ tenant_id }) => tenant_id);
}

import type { SystemDb } from "../../data/tenant-db.ts";

/** Workspaces whose nodes are updated by themselves; `isDefault` says whether those are that chose nothing. */
export async function listWilling(db: SystemDb, isDefault: boolean): Promise<string[]> {
  const rows = await db.all<{ tenant_id: string }>(
    `SELECT tenant_id FROM tenants WHERE status = 'active' AND COALESCE(agent_auto_update, ?) = 1 ORDER BY tenant_id`,
    [Number(isDefault)],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

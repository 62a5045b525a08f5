import type { TenantDb } from "../../data/tenant-db.ts";

/** How many groups the workspace has. */
export async function countGroups(db: TenantDb): Promise<number> {
  const sql = "SELECT count(*) AS count FROM node_groups WHERE tenant_id = :tenant";
  return (await db.get<{ count: number }>(sql))?.count ?? 0;
}

/** What kind of workspace it is. */
export async function findMode(db: TenantDb): Promise<string> {
  const row = await db.get<{ mode: string }>("SELECT mode FROM tenants WHERE tenant_id = :tenant");
  return row?.mode ?? "business";
}

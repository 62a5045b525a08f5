import type { TenantDb, TenantTx } from "../../data/tenant-db.ts";

/** The ids of the groups that a text means: the one with that id, and the one with that name. */
export async function findGroupIds(db: TenantDb, idOrName: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    "SELECT id FROM node_groups WHERE tenant_id = :tenant AND (id = ? OR name = ?)",
    [idOrName, idOrName],
  );
  return rows.map(({ id }) => id);
}

/** The name of a group; null when there is none. */
export async function findGroupName(db: TenantDb, id: string): Promise<string | null> {
  const sql = "SELECT name FROM node_groups WHERE tenant_id = :tenant AND id = ?";
  return (await db.get<{ name: string }>(sql, [id]))?.name ?? null;
}

/** The workspace's plan. */
export async function findPlan(db: TenantDb): Promise<string> {
  const row = await db.get<{ plan: string }>("SELECT plan FROM tenants WHERE tenant_id = :tenant");
  return row?.plan ?? "free";
}

/** What a member keeps of their list, as JSON; the columns are null for the usual ones. */
export interface ViewsRow {
  views: string;
  shown_columns: string | null;
}

/** What a member keeps of their list; null when they never kept anything. */
export function findViews(db: TenantDb | TenantTx, memberId: string): Promise<ViewsRow | null> {
  const sql = "SELECT views, shown_columns FROM fleet_views WHERE tenant_id = :tenant AND member_id = ?";
  return db.get(sql, [memberId]);
}

/** Keeps this in place of what there was. */
export async function saveViews(tx: TenantTx, memberId: string, { views, shown_columns }: ViewsRow): Promise<void> {
  await tx.run(
    `INSERT INTO fleet_views (tenant_id, member_id, views, shown_columns) VALUES (:tenant, ?, ?, ?)
     ON CONFLICT (tenant_id, member_id) DO UPDATE SET views = excluded.views, shown_columns = excluded.shown_columns`,
    [memberId, views, shown_columns],
  );
}

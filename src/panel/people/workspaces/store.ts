import type { UnreadSource } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";

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

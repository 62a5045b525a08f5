import type { TenantTx } from "../../data/tenant-db.ts";

/** What people say about a node. */
export interface Assigned {
  region: string | null;
  client_id: string | null;
  group_id: string | null;
  tags: string[];
  marked_offline: boolean;
}

/** What people say about a node, held still until the transaction ends; null when the workspace has no such node. */
export async function lockAssigned(tx: TenantTx, id: string): Promise<Assigned | null> {
  const row = await tx.get<Omit<Assigned, "tags" | "marked_offline"> & { tags: string; marked_offline: number }>(
    `UPDATE nodes SET tags = tags WHERE tenant_id = :tenant AND id = ? AND deleted_at IS NULL
     RETURNING region, client_id, group_id, tags, marked_offline`,
    [id],
  );
  return row && { ...row, tags: JSON.parse(row.tags), marked_offline: row.marked_offline === 1 };
}

export async function updateAssigned(tx: TenantTx, id: string, said: Assigned): Promise<void> {
  await tx.run(
    `UPDATE nodes SET region = ?, client_id = ?, group_id = ?, tags = ?, marked_offline = ?
     WHERE tenant_id = :tenant AND id = ?`,
    [said.region, said.client_id, said.group_id, JSON.stringify(said.tags), said.marked_offline ? 1 : 0, id],
  );
}

import type { TenantDb, TenantTx } from "../../data/tenant-db.ts";

/** A group as it is stored; times in milliseconds. */
export interface GroupRow {
  id: string;
  name: string;
  color: string | null;
  created_at: number;
}

const GROUP = "SELECT id, name, color, created_at FROM node_groups WHERE tenant_id = :tenant";

/** The workspace's groups by name. */
export function listGroups(db: TenantDb, limit: number): Promise<GroupRow[]> {
  return db.all(`${GROUP} ORDER BY lower(name), id LIMIT ?`, [limit]);
}

export function findGroup(tx: TenantTx, id: string): Promise<GroupRow | null> {
  return tx.get(`${GROUP} AND id = ?`, [id]);
}

/** Holds the workspace's groups still until the transaction ends, for rules over all of them. */
export async function lockGroups(tx: TenantTx): Promise<void> {
  await tx.run("UPDATE tenants SET name = name WHERE tenant_id = :tenant");
}

export async function countGroups(tx: TenantTx): Promise<number> {
  const sql = "SELECT count(*) AS count FROM node_groups WHERE tenant_id = :tenant";
  return (await tx.get<{ count: number }>(sql))?.count ?? 0;
}

/** True when another group than `id` has the name. */
export async function isNameTaken(tx: TenantTx, name: string, id: string): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM node_groups WHERE tenant_id = :tenant AND name = ? AND id <> ?";
  return (await tx.get(sql, [name, id])) !== null;
}

export async function insertGroup(tx: TenantTx, { id, name, color, created_at }: GroupRow): Promise<void> {
  await tx.run("INSERT INTO node_groups (tenant_id, id, name, color, created_at) VALUES (:tenant, ?, ?, ?, ?)", [
    id,
    name,
    color,
    created_at,
  ]);
}

export async function updateGroup(tx: TenantTx, { id, name, color }: GroupRow): Promise<void> {
  await tx.run("UPDATE node_groups SET name = ?, color = ? WHERE tenant_id = :tenant AND id = ?", [name, color, id]);
}

/** Deletes a group; its nodes, and the tokens that would put nodes into it, are then in none. */
export async function deleteGroup(tx: TenantTx, id: string): Promise<void> {
  await tx.run("UPDATE nodes SET group_id = NULL WHERE tenant_id = :tenant AND group_id = ?", [id]);
  await tx.run("UPDATE registration_tokens SET group_id = NULL WHERE tenant_id = :tenant AND group_id = ?", [id]);
  await tx.run("DELETE FROM node_groups WHERE tenant_id = :tenant AND id = ?", [id]);
}

/** What people say about a node. */
export interface Assigned {
  region: string | null;
  client_id: string | null;
  group_id: string | null;
  tags: string[];
}

/** What people say about a node, held still until the transaction ends; null when the workspace has no such node. */
export async function lockNode(tx: TenantTx, id: string): Promise<Assigned | null> {
  const row = await tx.get<Omit<Assigned, "tags"> & { tags: string }>(
    `UPDATE nodes SET tags = tags WHERE tenant_id = :tenant AND id = ? AND deleted_at IS NULL
     RETURNING region, client_id, group_id, tags`,
    [id],
  );
  return row && { ...row, tags: JSON.parse(row.tags) };
}

export async function updateNode(tx: TenantTx, id: string, said: Assigned): Promise<void> {
  await tx.run(
    "UPDATE nodes SET region = ?, client_id = ?, group_id = ?, tags = ? WHERE tenant_id = :tenant AND id = ?",
    [said.region, said.client_id, said.group_id, JSON.stringify(said.tags), id],
  );
}

/** A statement that selects the name of the workspace's group whose id the SQL expression `id` gives. */
export const selectGroupName = (id: string): string =>
  `SELECT name FROM node_groups WHERE tenant_id = :tenant AND id = ${id}`;

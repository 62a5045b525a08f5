import type { TenantDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";

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

export function findGroup(tx: TenantQueries, id: string): Promise<GroupRow | null> {
  return tx.get(`${GROUP} AND id = ?`, [id]);
}

/** The same, held still until the transaction ends; to be asked for before any node, as whoever deletes a group does. */
export function lockGroup(tx: TenantTx, id: string): Promise<GroupRow | null> {
  return tx.get(
    "UPDATE node_groups SET name = name WHERE tenant_id = :tenant AND id = ? RETURNING id, name, color, created_at",
    [id],
  );
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

/** Deletes a group that `lockGroup` holds; its nodes, and the tokens that would put nodes into it, are then in none. */
export async function deleteGroup(tx: TenantTx, id: string): Promise<void> {
  // The tokens first: a node that comes with one of them is there by then, or comes into no group.
  await tx.run("UPDATE registration_tokens SET group_id = NULL WHERE tenant_id = :tenant AND group_id = ?", [id]);
  await tx.run("UPDATE nodes SET group_id = NULL WHERE tenant_id = :tenant AND group_id = ?", [id]);
  await tx.run("DELETE FROM node_groups WHERE tenant_id = :tenant AND id = ?", [id]);
}

/** A statement that selects the name of the workspace's group whose id the SQL expression `id` gives. */
export const selectGroupName = (id: string): string =>
  `SELECT name FROM node_groups WHERE tenant_id = :tenant AND id = ${id}`;

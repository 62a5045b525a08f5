import type { SystemDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";
import type { GivenRole } from "../sso/contract.ts";
import type { GroupInput } from "./read-resource.ts";

export interface GroupRow {
  id: string;
  external_id: string | null;
  display_name: string;
  role: GivenRole | null;
  created_at: number;
  updated_at: number;
}

const GROUPS =
  "SELECT id, external_id, display_name, role, created_at, updated_at FROM scim_groups WHERE tenant_id = :tenant";
const IN_ORDER = `${GROUPS} ORDER BY display_key, id LIMIT ?`;
const BY_ID = `${GROUPS} AND id = ?`;
const BY_KEY = `${GROUPS} AND display_key = ?`;

export const findGroup = (db: TenantQueries, id: string): Promise<GroupRow | null> => db.get(BY_ID, [id]);

export const findGroupByName = (db: TenantQueries, name: string): Promise<GroupRow | null> =>
  db.get(BY_KEY, [name.toLowerCase()]);

export const listGroups = (db: TenantQueries, limit: number): Promise<GroupRow[]> => db.all(IN_ORDER, [limit]);

export async function countGroups(db: TenantQueries): Promise<number> {
  const row = await db.get<{ count: number }>("SELECT count(*) AS count FROM scim_groups WHERE tenant_id = :tenant");
  return row?.count ?? 0;
}

/** How many members all groups have together. */
export async function countMemberships(db: TenantQueries): Promise<number> {
  const sql = "SELECT count(*) AS count FROM scim_group_members WHERE tenant_id = :tenant";
  return Number((await db.get<{ count: number }>(sql))?.count ?? 0);
}

/** How many members each group has, by its id. */
export async function countByGroup(db: TenantQueries): Promise<Map<string, number>> {
  const rows = await db.all<{ group_id: string; count: number }>(
    "SELECT group_id, count(*) AS count FROM scim_group_members WHERE tenant_id = :tenant GROUP BY group_id",
  );
  return new Map(rows.map(({ group_id, count }) => [group_id, count]));
}

export async function insertGroup(tx: TenantTx, id: string, input: GroupInput, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO scim_groups (tenant_id, id, external_id, display_name, display_key, created_at, updated_at)
     VALUES (:tenant, ?, ?, ?, ?, ?, ?)`,
    [id, input.external_id, input.display_name, input.display_name.toLowerCase(), at, at],
  );
}

export async function updateGroup(tx: TenantTx, id: string, input: GroupInput, at: number): Promise<void> {
  await tx.run(
    `UPDATE scim_groups SET external_id = ?, display_name = ?, display_key = ?, updated_at = ?
     WHERE tenant_id = :tenant AND id = ?`,
    [input.external_id, input.display_name, input.display_name.toLowerCase(), at, id],
  );
}

/** Gives a group another meaning, which its members are to be told by `settled_to` from the first of them on. */
export async function updateGroupRole(tx: TenantTx, id: string, role: GivenRole | null, at: number): Promise<void> {
  const sql = "UPDATE scim_groups SET role = ?, settled_to = '', updated_at = ? WHERE tenant_id = :tenant AND id = ?";
  await tx.run(sql, [role, at, id]);
}

/** The last member who has what the group's role makes of them, empty for none; null once all have. */
export async function findSettledTo(tx: TenantTx, id: string): Promise<string | null> {
  const sql = "SELECT settled_to FROM scim_groups WHERE tenant_id = :tenant AND id = ?";
  return (await tx.get<{ settled_to: string | null }>(sql, [id]))?.settled_to ?? null;
}

export async function updateSettledTo(tx: TenantTx, id: string, memberId: string | null): Promise<void> {
  await tx.run("UPDATE scim_groups SET settled_to = ? WHERE tenant_id = :tenant AND id = ?", [memberId, id]);
}

/** Groups of all workspaces whose role has not reached every member yet. */
export const listUnsettled = (db: SystemDb, limit: number): Promise<{ tenant_id: string; id: string }[]> =>
  db.all("SELECT tenant_id, id FROM scim_groups WHERE settled_to IS NOT NULL ORDER BY updated_at LIMIT ?", [limit]);

export async function deleteGroup(tx: TenantTx, id: string): Promise<void> {
  await tx.run("DELETE FROM scim_group_members WHERE tenant_id = :tenant AND group_id = ?", [id]);
  await tx.run("DELETE FROM scim_groups WHERE tenant_id = :tenant AND id = ?", [id]);
}

export async function listMemberIds(db: TenantQueries, groupId: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ member_id: string }>(
    "SELECT member_id FROM scim_group_members WHERE tenant_id = :tenant AND group_id = ? ORDER BY member_id LIMIT ?",
    [groupId, limit],
  );
  return rows.map(({ member_id }) => member_id);
}

/** Members of a group by their ids, those behind one of them. */
export async function listMemberIdsAfter(
  tx: TenantTx,
  groupId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.all<{ member_id: string }>(
    `SELECT member_id FROM scim_group_members WHERE tenant_id = :tenant AND group_id = ? AND member_id > ?
     ORDER BY member_id LIMIT ?`,
    [groupId, after, limit],
  );
  return rows.map(({ member_id }) => member_id);
}

export async function countMembers(db: TenantQueries, groupId: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM scim_group_members WHERE tenant_id = :tenant AND group_id = ?";
  return Number((await db.get<{ count: number }>(sql, [groupId]))?.count ?? 0);
}

export async function addToGroup(tx: TenantTx, groupId: string, memberId: string): Promise<void> {
  await tx.run(
    `INSERT INTO scim_group_members (tenant_id, group_id, member_id) VALUES (:tenant, ?, ?)
     ON CONFLICT (tenant_id, group_id, member_id) DO NOTHING`,
    [groupId, memberId],
  );
}

export async function takeFromGroup(tx: TenantTx, groupId: string, memberId: string): Promise<void> {
  await tx.run("DELETE FROM scim_group_members WHERE tenant_id = :tenant AND group_id = ? AND member_id = ?", [
    groupId,
    memberId,
  ]);
}

/** Takes somebody out of every group. */
export async function takeFromGroups(tx: TenantTx, memberId: string): Promise<void> {
  await tx.run("DELETE FROM scim_group_members WHERE tenant_id = :tenant AND member_id = ?", [memberId]);
}

const OF_MEMBER = `SELECT g.id, g.display_name FROM scim_group_members gm
  JOIN scim_groups g ON g.tenant_id = gm.tenant_id AND g.id = gm.group_id
  WHERE gm.tenant_id = :tenant AND gm.member_id = ? ORDER BY g.display_key, g.id`;

/** How many members' groups are asked for at a time. */
const MEMBERS_AT_ONCE = 200;
const OF_MEMBERS = `SELECT gm.member_id, g.id, g.display_name FROM scim_group_members gm
  JOIN scim_groups g ON g.tenant_id = gm.tenant_id AND g.id = gm.group_id
  WHERE gm.tenant_id = :tenant AND gm.member_id IN (${Array.from({ length: MEMBERS_AT_ONCE }, () => "?").join(", ")})
  ORDER BY g.display_key, g.id`;

/** The groups that some members are in, by the id of each member who is in one. */
export async function listGroupsOfAll(
  db: TenantQueries,
  memberIds: readonly string[],
): Promise<Map<string, { id: string; display_name: string }[]>> {
  const found = new Map<string, { id: string; display_name: string }[]>();
  for (let from = 0; from < memberIds.length; from += MEMBERS_AT_ONCE) {
    const some = Array.from({ length: MEMBERS_AT_ONCE }, (_, index) => memberIds[from + index] ?? "");
    for (const { member_id, ...group } of await db.all<{ member_id: string; id: string; display_name: string }>(
      OF_MEMBERS,
      some,
    ))
      found.set(member_id, [...(found.get(member_id) ?? []), group]);
  }
  return found;
}

/** The groups that somebody is in. */
export function listGroupsOf(db: TenantQueries, memberId: string): Promise<{ id: string; display_name: string }[]> {
  return db.all(OF_MEMBER, [memberId]);
}

const ROLES_OF_MEMBER = `SELECT DISTINCT g.role FROM scim_group_members gm
  JOIN scim_groups g ON g.tenant_id = gm.tenant_id AND g.id = gm.group_id
  WHERE gm.tenant_id = :tenant AND gm.member_id = ? AND g.role IS NOT NULL`;

/** What the groups that somebody is in make of them, each role once. */
export async function listRolesOf(db: TenantQueries, memberId: string): Promise<GivenRole[]> {
  return (await db.all<{ role: GivenRole }>(ROLES_OF_MEMBER, [memberId])).map(({ role }) => role);
}

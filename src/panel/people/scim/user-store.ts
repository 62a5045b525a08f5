import { lookedFor, readAddress } from "../../addresses.ts";
import type { Mark } from "../../base.ts";
import type { SystemTx, TenantQueries, TenantTx } from "../../data/tenant-db.ts";
import type { RoleName } from "../tenants/contract.ts";
import { listKnownAs, markOf } from "../tenants/index.ts";
import type { UserInput } from "./read-resource.ts";

/** A member as a directory sees them; what it has not said of them is null. */
export interface UserRow {
  id: string;
  account_id: string;
  role: RoleName;
  status: "active" | "disabled";
  account_email: string;
  account_name: string;
  joined_at: number;
  user_name: string | null;
  external_id: string | null;
  email: string | null;
  display_name: string | null;
  given_name: string | null;
  family_name: string | null;
  state: "on" | "off" | null;
  /** The id that it had for them when it ended their access last. */
  ended_id: string | null;
  has_group_role: number | null;
  updated_at: number | null;
}

const JOINED = `FROM members m JOIN accounts a ON a.id = m.account_id
  LEFT JOIN scim_users u ON u.tenant_id = m.tenant_id AND u.member_id = m.id AND u.state <> 'gone'
  WHERE m.tenant_id = :tenant AND (m.status = 'active' OR u.member_id IS NOT NULL)`;
const USERS = `SELECT m.id, m.account_id, m.role, m.status, a.email AS account_email, a.display_name AS account_name,
  m.created_at AS joined_at, u.user_name, u.external_id, u.email, u.display_name, u.given_name, u.family_name, u.state,
  u.ended_id, u.has_group_role, u.updated_at ${JOINED}`;
const BY_ID = `${USERS} AND m.id = ?`;
// By the ids that an index gives, so that nobody is looked for among all members.
const KEPT = "SELECT s.member_id FROM scim_users s WHERE s.tenant_id = :tenant AND s.state <> 'gone'";
const BY_KEY = `${USERS} AND m.id IN (${KEPT} AND s.user_key = ?)`;
const BY_EMAIL = `${USERS} AND m.account_id IN (SELECT e.id FROM accounts e WHERE e.email = ?)`;
const BY_EXTERNAL = `${USERS} AND m.id IN (${KEPT} AND s.external_id = ?) ORDER BY m.created_at, m.id LIMIT ?`;
const PAGE = `${USERS} ORDER BY m.created_at, m.id LIMIT ? OFFSET ?`;

/** How a name is compared. */
export const keyOf = (name: string): string => name.toLowerCase();

/** What a directory knows somebody by. */
export type Known = { [Key in "user_name" | "external_id" | "email"]?: string | null };

/** By what it could bring them in again. */
export function marksOf({ user_name, external_id, email }: Known): Mark[] {
  const marks: Mark[] = [];
  if (email) marks.push(markOf(email));
  if (user_name) marks.push(readAddress(user_name) ? markOf(user_name) : { kind: "name", value: keyOf(user_name) });
  if (external_id) marks.push({ kind: "external_id", value: external_id });
  return marks;
}

/** By what it could bring a member in again, whatever it did with them last. */
export async function listMarks(tx: TenantTx, memberId: string): Promise<Mark[]> {
  const sql = "SELECT user_name, external_id, email FROM scim_users WHERE tenant_id = :tenant AND member_id = ?";
  const known = await tx.get<Known>(sql, [memberId]);
  return known ? marksOf(known) : [];
}

export function findUser(db: TenantQueries, id: string): Promise<UserRow | null> {
  return db.get(BY_ID, [id]);
}

/**
 * Whom a name means: the one that the directory calls so, else of those of whom it said nothing the member with that address, or who may
 * enter and had it last. Who had it before they were a member is somebody else, as far as a directory can know.
 */
export async function findUserByName(db: TenantQueries, name: string): Promise<UserRow | null> {
  const known = await db.get<UserRow>(BY_KEY, [keyOf(name)]);
  if (known) return known;
  const member = await db.get<UserRow>(BY_EMAIL, [lookedFor(name)]);
  if (member) return member.user_name === null ? member : null;
  for (const { member_id, status, is_before } of await listKnownAs(db, name)) {
    const row = status === "active" && is_before === 0 ? await findUser(db, member_id) : null;
    if (row?.user_name === null) return row;
  }
  return null;
}

export function listUsersByExternalId(db: TenantQueries, id: string, limit: number): Promise<UserRow[]> {
  return db.all(BY_EXTERNAL, [id, limit]);
}

export function listUsers(db: TenantQueries, limit: number, skip: number): Promise<UserRow[]> {
  return db.all(PAGE, [limit, skip]);
}

/** How many are looked for at a time. */
const AT_ONCE = 200;
const THESE = `SELECT m.id ${JOINED} AND m.id IN (${Array.from({ length: AT_ONCE }, () => "?").join(", ")})`;

/** Those of some ids that are members'. */
export async function findUserIds(db: TenantQueries, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, index) => ids[from + index] ?? "");
    for (const { id } of await db.all<{ id: string }>(THESE, some)) found.add(id);
  }
  return found;
}

const COUNT = `SELECT count(*) AS count ${JOINED}`;
export async function countUsers(db: TenantQueries): Promise<number> {
  return (await db.get<{ count: number }>(COUNT))?.count ?? 0;
}

/** How many people the directory ever brought. */
export async function countEver(db: TenantQueries): Promise<number> {
  const sql = "SELECT count(*) AS count FROM scim_users WHERE tenant_id = :tenant";
  return (await db.get<{ count: number }>(sql))?.count ?? 0;
}

/** How many members the directory keeps, and how many of them it turned off. */
export async function countKept(db: TenantQueries): Promise<{ users: number; off: number }> {
  const sql = `SELECT count(*) AS users, coalesce(sum(CASE WHEN state = 'off' THEN 1 ELSE 0 END), 0) AS off
    FROM scim_users WHERE tenant_id = :tenant AND state <> 'gone'`;
  const row = await db.get<{ users: number; off: number }>(sql);
  return { users: Number(row?.users ?? 0), off: Number(row?.off ?? 0) };
}

/** What became of a membership: whether the directory may give it back. */
export function findFormer(
  tx: TenantTx,
  accountId: string,
): Promise<{ id: string; role: RoleName; status: string; state: string | null; ended_id: string | null } | null> {
  return tx.get(
    `SELECT m.id, m.role, m.status, u.state, u.ended_id FROM members m
     LEFT JOIN scim_users u ON u.tenant_id = m.tenant_id AND u.member_id = m.id WHERE m.tenant_id = :tenant AND m.account_id = ?`,
    [accountId],
  );
}

/** Keeps what the directory says of a member. Whom it forgot, and a member of the workspace took back, it has again by that. */
export async function putUser(tx: TenantTx, memberId: string, input: UserInput, at: number): Promise<void> {
  const { user_name, external_id, email, display_name, given_name, family_name } = input;
  await tx.run(
    `INSERT INTO scim_users (tenant_id, member_id, user_name, user_key, external_id, email, display_name, given_name, family_name,
       created_at, updated_at) VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, member_id) DO UPDATE SET user_name = excluded.user_name, user_key = excluded.user_key,
       external_id = excluded.external_id, email = excluded.email, display_name = excluded.display_name,
       given_name = excluded.given_name, family_name = excluded.family_name, updated_at = excluded.updated_at,
       state = CASE WHEN scim_users.state = 'gone' THEN 'on' ELSE scim_users.state END`,
    [memberId, user_name, keyOf(user_name), external_id, email, display_name, given_name, family_name, at, at],
  );
}

/** Notes that the directory keeps somebody, whom it may have ended the access of: by the id of then it is the same person. */
export async function keepOn(tx: TenantTx, memberId: string): Promise<void> {
  const sql = `UPDATE scim_users SET state = 'on', ended_id = CASE WHEN ended_id = external_id THEN NULL ELSE ended_id END
    WHERE tenant_id = :tenant AND member_id = ?`;
  await tx.run(sql, [memberId]);
}

/** Notes that the directory forgot somebody whom it had turned off. */
export async function forgetUser(tx: TenantTx, memberId: string): Promise<void> {
  await tx.run("UPDATE scim_users SET state = 'gone' WHERE tenant_id = :tenant AND member_id = ?", [memberId]);
}

/** Notes that the directory ended somebody's access, who has the id of before; without one the id that it tells now, else an earlier one. */
export async function endUser(
  tx: TenantTx,
  memberId: string,
  end: { state: "off" | "gone"; id: string | null; at: number },
): Promise<void> {
  const sql = `UPDATE scim_users SET state = ?, ended_id = coalesce(?, external_id, ended_id), ended_at = ?
    WHERE tenant_id = :tenant AND member_id = ?`;
  await tx.run(sql, [end.state, end.id, end.at, memberId]);
}

/** True for an account with a password whose owner never showed that they read what is sent to its address. */
export async function isUnproven(tx: SystemTx, accountId: string, noPassword: string): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM accounts WHERE id = ? AND email_verified = 0 AND password_hash <> ?";
  return (await tx.get(sql, [accountId, noPassword])) !== null;
}

export async function enableMember(tx: TenantTx, memberId: string): Promise<void> {
  await tx.run("UPDATE members SET status = 'active' WHERE tenant_id = :tenant AND id = ?", [memberId]);
}

/** Gives a member another role, and notes whether a group gave it. */
export async function updateRole(tx: TenantTx, memberId: string, role: RoleName, byGroup: number): Promise<void> {
  await tx.run("UPDATE members SET role = ? WHERE tenant_id = :tenant AND id = ?", [role, memberId]);
  await tx.run("UPDATE scim_users SET has_group_role = ? WHERE tenant_id = :tenant AND member_id = ?", [
    byGroup,
    memberId,
  ]);
}

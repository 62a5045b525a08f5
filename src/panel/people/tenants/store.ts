import { formsOf, lookedFor } from "../../addresses.ts";
import type { Holding } from "../../base.ts";
import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";
import type { Language } from "../../languages.ts";
import type { Plan } from "../../plans.ts";
import type { Mode, RoleName } from "./contract.ts";

/** A membership with its account and its workspace. */
export interface MembershipRow {
  member_id: string;
  role: RoleName;
  member_status: "active" | "disabled";
  last_active_at: number | null;
  account_id: string;
  email: string;
  display_name: string;
  global_role: "admin" | null;
  email_verified: number;
  onboarding_completed: number;
  tenant_id: string;
  tenant_name: string;
  plan: string;
  tenant_status: "active" | "suspended";
  mode: Mode;
  mode_chosen: number;
  parent_tenant_id: string | null;
  created_at: number;
  has_factor: number;
  /** 1 when the workspace wants a second factor of its members and this one has none. */
  lacks_factor: number;
  /** The sign-in of its own that the workspace wants of its members; null where each comes in as they like. */
  sign_in: string | null;
  /** 1 when that holds for this member: all but the one owner who may come in without, and staff that is let in. */
  lacks_sso: number;
  /** 1 for the owner who may come in without it, as far as they have a second factor. */
  is_exempt: number;
}

/** An owner without a second factor cannot ask the others for one: nobody could help them any more. */
const LACKS_FACTOR = `CASE WHEN t.require_2fa = 1 AND a.has_factor = 0 AND EXISTS (SELECT 1 FROM members o
  JOIN accounts oa ON oa.id = o.account_id WHERE o.tenant_id = t.tenant_id AND o.role = 'org_owner'
  AND o.status = 'active' AND oa.has_factor = 1) THEN 1 ELSE 0 END AS lacks_factor`;

/** As SQL, of a member `m` of a workspace `t`: 1 for the owner who may come in without the sign-in that the workspace wants. */
export const IS_EXEMPT = `CASE WHEN t.sign_in IS NOT NULL AND m.is_break_glass = 1 AND m.role = 'org_owner' THEN 1 ELSE 0 END`;

/** Staff that the workspace lets in proves itself here: its sign-in does not know them. */
const LACKS_SSO = `CASE WHEN t.sign_in IS NULL OR (${IS_EXEMPT} = 1 AND a.has_factor = 1) THEN 0
  WHEN a.global_role = 'admin' AND a.has_factor = 1 AND EXISTS (SELECT 1 FROM staff_visits v JOIN staff_permits p
    ON p.tenant_id = v.tenant_id AND p.id = v.permit_id
    WHERE v.tenant_id = m.tenant_id AND v.member_id = m.id AND p.ended_at IS NULL) THEN 0 ELSE 1 END AS lacks_sso`;

const MEMBERSHIP = `SELECT m.id AS member_id, m.role, m.status AS member_status, m.last_active_at, m.account_id, a.email,
  a.display_name, a.global_role, a.email_verified, a.onboarding_completed, m.tenant_id, t.name AS tenant_name, t.plan,
  t.status AS tenant_status, t.mode, t.mode_chosen, t.parent_tenant_id, t.created_at, a.has_factor, ${LACKS_FACTOR}, t.sign_in,
  ${LACKS_SSO}, ${IS_EXEMPT} AS is_exempt
  FROM members m JOIN accounts a ON a.id = m.account_id JOIN tenants t ON t.tenant_id = m.tenant_id`;

const BY_ID = `${MEMBERSHIP} WHERE m.tenant_id = ? AND m.id = ?`;
const BY_ACCOUNT = `${MEMBERSHIP} WHERE m.account_id = ? AND t.deleted_at IS NULL
  ORDER BY coalesce(m.last_active_at, 0) DESC, m.tenant_id`;

const TOUCHED_AT_ONCE = 500;

/** Across workspaces, in or outside a transaction. */
type System = SystemDb | SystemTx;

export function findMembership(db: System, tenantId: string, memberId: string): Promise<MembershipRow | null> {
  return db.get(BY_ID, [tenantId, memberId]);
}

/** The workspace that signing in leads to: of those that the account may enter the one used last; null when there is none. */
export async function findOpenMembership(db: System, accountId: string): Promise<MembershipRow | null> {
  const rows = await listMemberships(db, accountId);
  return rows.find((row) => row.member_status === "active" && row.tenant_status === "active") ?? null;
}

/** All memberships of an account but those in workspaces that are deleted, the one used last first. */
export function listMemberships(db: System, accountId: string): Promise<MembershipRow[]> {
  return db.all(BY_ACCOUNT, [accountId]);
}

/** The workspaces that whoever has an address may enter. */
export async function listHomes(tx: SystemTx, email: string): Promise<string[]> {
  const rows = await tx.all<{ tenant_id: string }>(
    `SELECT m.tenant_id FROM accounts a JOIN members m ON m.account_id = a.id
     WHERE a.email = ? AND m.status = 'active' ORDER BY m.tenant_id`,
    [email],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Stands where the hash of a password would: no password is right. */
export const NO_PASSWORD = "sso";

/** An account as it signs in. */
export interface AccountRow {
  id: string;
  email: string;
  display_name: string;
  password_hash: string;
}

/** The account with an address, in whatever form it is written. One that is kept as new ones are not is found as it is kept. */
export async function findAccount(db: System, email: string): Promise<AccountRow | null> {
  const find = (form: string) =>
    db.get<AccountRow>("SELECT id, email, display_name, password_hash FROM accounts WHERE email = ?", [form]);
  for (const form of formsOf(email)) {
    const found = await find(form);
    if (found) return found;
  }
  return null;
}

/** How many accounts that released one address are asked for their password: each try is a slow hash. */
const RELEASED_MAX = 5;

/** The accounts that had an address and had to release it, the latest first, at most five. */
export function listReleased(db: System, email: string): Promise<AccountRow[]> {
  const sql = `SELECT id, email, display_name, password_hash FROM accounts WHERE released_email = ?
    ORDER BY created_at DESC, id DESC LIMIT ?`;
  return db.all(sql, [lookedFor(email), RELEASED_MAX]);
}

/** Accounts whose address may be kept in another form than new ones are. */
export function listOldForms(db: SystemDb): Promise<{ id: string; email: string }[]> {
  return db.all(
    "SELECT id, email FROM accounts WHERE octet_length(email) <> length(email) OR email LIKE '%.' ORDER BY id",
  );
}

export function findAccountById(db: System, id: string): Promise<AccountRow | null> {
  return db.get("SELECT id, email, display_name, password_hash FROM accounts WHERE id = ?", [id]);
}

/** When an account was made; null where there is none. */
export async function findAccountSince(db: SystemDb, id: string): Promise<number | null> {
  const row = await db.get<{ created_at: number }>("SELECT created_at FROM accounts WHERE id = ?", [id]);
  return row?.created_at ?? null;
}

/** False when the address is taken. */
export async function insertAccount(
  tx: SystemTx,
  row: AccountRow & {
    referred_by: string | null;
    created_at: number;
    /** What the browser asked for that it comes from; null where there is none. */
    browser_language: Language | null;
  },
): Promise<boolean> {
  const inserted = await tx.run(
    `INSERT INTO accounts (id, email, display_name, password_hash, referred_by, created_at, browser_language)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING`,
    [
      ...[row.id, lookedFor(row.email), row.display_name, row.password_hash],
      ...[row.referred_by, row.created_at, row.browser_language],
    ],
  );
  return inserted === 1;
}

export async function updateDisplayName(db: SystemTx, accountId: string, name: string): Promise<void> {
  await db.run("UPDATE accounts SET display_name = ? WHERE id = ?", [name, accountId]);
}

/** True for an account of whose address somebody has shown that they read what is sent there. */
export async function isEmailVerified(tx: SystemTx, accountId: string): Promise<boolean> {
  return (await tx.get("SELECT 1 AS one FROM accounts WHERE id = ? AND email_verified = 1", [accountId])) !== null;
}

/** Somebody has opened a letter that went to the address of the account. */
export async function updateEmailVerified(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("UPDATE accounts SET email_verified = 1 WHERE id = ?", [accountId]);
}

export async function updateOnboardingCompleted(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("UPDATE accounts SET onboarding_completed = 1 WHERE id = ?", [accountId]);
}

export async function updatePasswordHash(tx: SystemTx, accountId: string, hash: string): Promise<void> {
  await tx.run("UPDATE accounts SET password_hash = ? WHERE id = ?", [hash, accountId]);
}

/** Whether an account has a second factor. */
export async function updateHasFactor(tx: SystemTx, accountId: string, hasFactor: boolean): Promise<void> {
  await tx.run("UPDATE accounts SET has_factor = ? WHERE id = ?", [Number(hasFactor), accountId]);
}

/** A workspace that wants a second factor of somebody: of all its members, or of them as they come in without its sign-on; or null. */
export function findFactorDuty(tx: SystemTx, accountId: string): Promise<{ name: string } | null> {
  return tx.get(
    `SELECT t.name FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id
     WHERE m.account_id = ? AND m.status = 'active' AND (t.require_2fa = 1 OR ${IS_EXEMPT} = 1) ORDER BY t.tenant_id LIMIT 1`,
    [accountId],
  );
}

/** Platform staff or not. */
export async function updateStaff(tx: SystemTx, accountId: string, staff: boolean): Promise<void> {
  await tx.run("UPDATE accounts SET global_role = ? WHERE id = ?", [staff ? "admin" : null, accountId]);
}

/** Holds everything about an account still until the transaction ends. */
export async function lockAccount(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("UPDATE accounts SET email = email WHERE id = ?", [accountId]);
}

export async function insertTenant(
  tx: SystemTx,
  row: {
    id: string;
    name: string;
    mode: Mode;
    mode_chosen: number;
    parent_tenant_id: string | null;
    plan: Plan;
    created_at: number;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO tenants (tenant_id, name, mode, mode_chosen, parent_tenant_id, plan, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [row.id, row.name, row.mode, row.mode_chosen, row.parent_tenant_id, row.plan, row.created_at],
  );
}

export async function insertMember(
  tx: SystemTx,
  row: { tenant_id: string; id: string; account_id: string; role: RoleName; created_at: number },
): Promise<void> {
  await tx.run(
    "INSERT INTO members (tenant_id, id, account_id, role, last_active_at, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    [row.tenant_id, row.id, row.account_id, row.role, row.created_at, row.created_at],
  );
}

export interface Touch {
  tenant_id: string;
  member_id: string;
  /** Milliseconds. */
  at: number;
}

/** Notes when members were here last, many in one statement. */
export async function touchMembers(tx: SystemTx, touches: readonly Touch[]): Promise<void> {
  for (let from = 0; from < touches.length; from += TOUCHED_AT_ONCE) {
    const some = touches.slice(from, from + TOUCHED_AT_ONCE);
    await tx.run(
      `UPDATE members SET last_active_at = v.column3 FROM (VALUES ${some.map(() => "(?, ?, CAST(? AS BIGINT))").join(", ")}) AS v
       WHERE members.tenant_id = v.column1 AND members.id = v.column2`,
      some.flatMap(({ tenant_id, member_id, at }) => [tenant_id, member_id, at]),
    );
  }
}

/** The stored plan of a workspace; null when it is gone. */
export async function findPlan(db: System, tenantId: string): Promise<string | null> {
  const row = await db.get<{ plan: string }>("SELECT plan FROM tenants WHERE tenant_id = ?", [tenantId]);
  return row?.plan ?? null;
}

export async function isSuspended(db: System, tenantId: string): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM tenants WHERE tenant_id = ? AND status = 'suspended'";
  return (await db.get(sql, [tenantId])) !== null;
}

/** Puts a workspace on another plan; gives the former one, or null when there is no such workspace. */
export async function updatePlan(tx: SystemTx, tenantId: string, plan: Plan): Promise<string | null> {
  const former = await findPlan(tx, tenantId);
  await tx.run("UPDATE tenants SET plan = ? WHERE tenant_id = ?", [plan, tenantId]);
  return former;
}

/** A workspace with what it holds by the names of its holdings. */
export interface WorkspaceRow {
  tenant_id: string;
  name: string;
  plan: string;
  held: Record<string, number>;
}

/** Every workspace with what it holds, the oldest first. */
export async function listWorkspaces(db: SystemDb, holdings: readonly Holding[]): Promise<WorkspaceRow[]> {
  const counts = holdings.map(({ count }, index) => `, (${count("t.tenant_id")}) AS held_${index}`);
  const rows = await db.all<Record<"tenant_id" | "name" | "plan", string> & Record<`held_${number}`, number>>(
    `SELECT t.tenant_id, t.name, t.plan${counts.join("")} FROM tenants t ORDER BY t.created_at, t.tenant_id`,
  );
  return rows.map(({ tenant_id, name, plan, ...counted }) => ({
    ...{ tenant_id, name, plan },
    held: Object.fromEntries(holdings.map((holding, index) => [holding.name, counted[`held_${index}`] ?? 0])),
  }));
}

/** How many workspaces and accounts there are, and how many members were seen since `since` (milliseconds). */
export async function countAll(
  db: SystemDb,
  since: number,
): Promise<{ workspaces: number; accounts: number; members: number }> {
  const counts = await db.get<{ workspaces: number; accounts: number; members: number }>(
    `SELECT (SELECT count(*) FROM tenants) AS workspaces, (SELECT count(*) FROM accounts) AS accounts,
     (SELECT count(*) FROM members WHERE last_active_at >= ?) AS members`,
    [since],
  );
  return counts ?? { workspaces: 0, accounts: 0, members: 0 };
}

/** Holds the caller's workspace still until the transaction ends, for rules over all members or groups of it. */
export async function lockWorkspace(tx: TenantTx): Promise<void> {
  await tx.run("UPDATE tenants SET name = name WHERE tenant_id = :tenant");
}

/** Holds a workspace's members still until the transaction ends, for rules over all of them. */
export async function lockMembers(tx: SystemTx, tenantId: string): Promise<void> {
  await tx.run("UPDATE tenants SET name = name WHERE tenant_id = ?", [tenantId]);
}

/** How many owners a workspace has who can sign in. */
export async function countOwners(tx: SystemTx, tenantId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM members WHERE tenant_id = ? AND role = 'org_owner' AND status = 'active'",
    [tenantId],
  );
  return row?.count ?? 0;
}

export async function deleteMember(tx: SystemTx, tenantId: string, memberId: string): Promise<void> {
  await tx.run("DELETE FROM members WHERE tenant_id = ? AND id = ?", [tenantId, memberId]);
}

export async function disableMember(tx: SystemTx, tenantId: string, memberId: string): Promise<void> {
  await tx.run("UPDATE members SET status = 'disabled' WHERE tenant_id = ? AND id = ?", [tenantId, memberId]);
}

/** How many client workspaces an MSP has. */
export async function countClients(db: System, parentId: string): Promise<number> {
  const row = await db.get<{ count: number }>("SELECT count(*) AS count FROM tenants WHERE parent_tenant_id = ?", [
    parentId,
  ]);
  return row?.count ?? 0;
}

/** A client workspace of an MSP; null when there is none, or it is not that one's. */
export function findClient(db: System, parentId: string, id: string): Promise<{ id: string; name: string } | null> {
  return db.get("SELECT tenant_id AS id, name FROM tenants WHERE tenant_id = ? AND parent_tenant_id = ?", [
    id,
    parentId,
  ]);
}

/** The client workspaces of an MSP, by name. */
export function listClients(db: System, parentId: string, limit: number): Promise<{ id: string; name: string }[]> {
  return db.all(
    "SELECT tenant_id AS id, name FROM tenants WHERE parent_tenant_id = ? ORDER BY lower(name), tenant_id LIMIT ?",
    [parentId, limit],
  );
}

/** A statement that selects the name of the member of the workspace whose id the SQL expression `id` gives. */
export const selectMemberName = (id: string): string =>
  `SELECT a.display_name FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant AND m.id = ${id}`;

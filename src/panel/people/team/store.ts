import { escapeLike } from "../../../lib/like-pattern.ts";
import type { TenantDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";
import { joinOutcome, OUTCOME_COLUMNS, type OutcomeColumns } from "../../platform/mail/index.ts";
import type { RoleName } from "../tenants/contract.ts";
import { IS_EXEMPT } from "../tenants/index.ts";
import { MEMBERS_MAX } from "./contract.ts";

export interface MemberRow {
  id: string;
  email: string;
  display_name: string;
  role: RoleName;
  status: "active" | "disabled";
  last_active_at: number | null;
  /** 1: more than a password guards the account. */
  has_factor: number;
  /** 1: one of the panel's staff, who is here by a permit or was. */
  is_visitor: number;
  /** 1: the owner who may come in without the sign-in that the workspace wants. */
  is_exempt: number;
}

const COLUMNS = `m.id, a.email, a.display_name, m.role, m.status, m.last_active_at, a.has_factor,
  CASE WHEN a.global_role = 'admin' AND EXISTS (SELECT 1 FROM staff_visits v
    WHERE v.tenant_id = m.tenant_id AND v.member_id = m.id) THEN 1 ELSE 0 END AS is_visitor, ${IS_EXEMPT} AS is_exempt`;
const FROM = "FROM members m JOIN accounts a ON a.id = m.account_id JOIN tenants t ON t.tenant_id = m.tenant_id";
const MEMBERS = `SELECT ${COLUMNS} ${FROM} WHERE m.tenant_id = :tenant`;
const ALL = `SELECT ${COLUMNS}, ${OUTCOME_COLUMNS} ${FROM} ${joinOutcome("m.tenant_id", "a.email")} WHERE m.tenant_id = :tenant
  ORDER BY m.created_at, m.id LIMIT ?`;
const ACTIVE = `${MEMBERS} AND m.status = 'active' ORDER BY m.created_at, m.id LIMIT ?`;
const FOUND = `${MEMBERS} AND (lower(a.display_name) LIKE ? ESCAPE '\\' OR a.email LIKE ? ESCAPE '\\')
  ORDER BY CASE WHEN lower(a.display_name) LIKE ? ESCAPE '\\' THEN 0 ELSE 1 END, m.status, lower(a.display_name), m.id LIMIT ?`;
const ONE = `${MEMBERS} AND m.id = ?`;

const FOUND_AT_ONCE = 500;

/** All of them, each with what became of the last letter to them. */
export function listMembers(db: TenantDb): Promise<(MemberRow & OutcomeColumns)[]> {
  return db.all(ALL, [MEMBERS_MAX]);
}

/** Those who may enter. */
export function listActiveMembers(db: TenantDb, limit: number): Promise<MemberRow[]> {
  return db.all(ACTIVE, [limit]);
}

/** Those with a text in their name or address; those whose name begins with it first, then those who may enter. */
export function findMembersByText(db: TenantDb, text: string, limit: number): Promise<MemberRow[]> {
  const words = escapeLike(text.toLowerCase());
  return db.all(FOUND, [`%${words}%`, `%${words}%`, `${words}%`, limit]);
}

export function findMember(tx: TenantQueries, id: string): Promise<MemberRow | null> {
  return tx.get(ONE, [id]);
}

/** Those of some ids that there are. */
export async function findMembers(db: TenantDb, ids: readonly string[]): Promise<MemberRow[]> {
  const found: MemberRow[] = [];
  for (let from = 0; from < ids.length; from += FOUND_AT_ONCE) {
    const some = ids.slice(from, from + FOUND_AT_ONCE);
    found.push(...(await db.all<MemberRow>(`${MEMBERS} AND m.id IN (${some.map(() => "?").join(", ")})`, some)));
  }
  return found;
}

export async function updateRole(tx: TenantTx, id: string, role: RoleName): Promise<void> {
  await tx.run("UPDATE members SET role = ? WHERE tenant_id = :tenant AND id = ?", [role, id]);
}

/** Ends a membership; disabled it stays for the log. What belongs to it, sessions among that, goes or is refused from then on. */
export async function endMembership(tx: TenantTx, id: string, mode: "deleted" | "disabled"): Promise<void> {
  await tx.run(
    mode === "deleted"
      ? "DELETE FROM members WHERE tenant_id = :tenant AND id = ?"
      : "UPDATE members SET status = 'disabled' WHERE tenant_id = :tenant AND id = ?",
    [id],
  );
}

/** Ends every membership of a workspace but one; gives how many that were. */
export function endOtherMemberships(tx: TenantTx, keepId: string): Promise<number> {
  const sql = "UPDATE members SET status = 'disabled' WHERE tenant_id = :tenant AND id <> ? AND status = 'active'";
  return tx.run(sql, [keepId]);
}

/** Gives a disabled member their way in again. */
export async function enableMember(tx: TenantTx, id: string): Promise<void> {
  await tx.run("UPDATE members SET status = 'active' WHERE tenant_id = :tenant AND id = ?", [id]);
}

/** How many owners there are who can sign in. */
export async function countActiveOwners(tx: TenantTx): Promise<number> {
  const row = await tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM members WHERE tenant_id = :tenant AND role = 'org_owner' AND status = 'active'",
  );
  return row?.count ?? 0;
}

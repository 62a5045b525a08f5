import type { TenantDb, TenantTx } from "../../data/tenant-db.ts";
import type { RoleName } from "../tenants/contract.ts";

export interface MemberRow {
  id: string;
  email: string;
  display_name: string;
  role: RoleName;
  status: "active" | "disabled";
  last_active_at: number | null;
}

const MEMBERS = `SELECT m.id, a.email, a.display_name, m.role, m.status, m.last_active_at
  FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant`;
const ALL = `${MEMBERS} ORDER BY m.created_at, m.id LIMIT 5000`;
const ONE = `${MEMBERS} AND m.id = ?`;

export function listMembers(db: TenantDb): Promise<MemberRow[]> {
  return db.all(ALL);
}

export function findMember(tx: TenantTx, id: string): Promise<MemberRow | null> {
  return tx.get(ONE, [id]);
}

/** Holds the workspace's members still until the transaction ends, for rules over all of them. */
export async function lockTeam(tx: TenantTx): Promise<void> {
  await tx.run("UPDATE tenants SET name = name WHERE tenant_id = :tenant");
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

import type { SystemTx } from "../../data/tenant-db.ts";
import type { RoleName } from "./contract.ts";

/** What an account has in a workspace. */
export interface Stake {
  tenant_id: string;
  member_id: string;
  /** The name of the workspace. */
  workspace: string;
  role: RoleName;
  status: "active" | "disabled";
  /** 1 for whoever made the workspace. */
  is_founder: number;
  /** The owners who can sign in there. */
  owners: number;
}

/** What an account has in each workspace that it is or was in. */
export function listStakes(tx: SystemTx, accountId: string): Promise<Stake[]> {
  return tx.all(
    `SELECT m.tenant_id, m.id AS member_id, t.name AS workspace, m.role, m.status,
     CASE WHEN m.created_at = t.created_at THEN 1 ELSE 0 END AS is_founder,
     (SELECT count(*) FROM members o WHERE o.tenant_id = m.tenant_id AND o.role = 'org_owner' AND o.status = 'active') AS owners
     FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id WHERE m.account_id = ? ORDER BY m.tenant_id`,
    [accountId],
  );
}

/** The addresses of the owners of a workspace who can sign in there, but for one member; the first ones first. */
export async function listOtherOwners(
  tx: SystemTx,
  { tenant_id, member_id }: Pick<Stake, "tenant_id" | "member_id">,
  limit: number,
): Promise<string[]> {
  const rows = await tx.all<{ email: string }>(
    `SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = ? AND m.id <> ?
     AND m.role = 'org_owner' AND m.status = 'active' ORDER BY m.created_at, m.id LIMIT ?`,
    [tenant_id, member_id, limit],
  );
  return rows.map(({ email }) => email);
}

/** Ends a membership and gives it to another account. */
export async function moveMember(
  tx: SystemTx,
  { tenant_id, member_id }: Pick<Stake, "tenant_id" | "member_id">,
  accountId: string,
): Promise<void> {
  const sql = "UPDATE members SET account_id = ?, status = 'disabled' WHERE tenant_id = ? AND id = ?";
  await tx.run(sql, [accountId, tenant_id, member_id]);
}

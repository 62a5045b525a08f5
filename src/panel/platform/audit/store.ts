import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { SystemTx, TenantTx } from "../../data/tenant-db.ts";

/** Who did something, and from where. */
export interface AuditedBy {
  member_id: string;
  account_id: string;
  ip: string;
}

/** What people do with their own account; that alone keeps no membership of somebody who leaves. */
export type AccountAction =
  | "account.register"
  | "account.sign_in"
  | "account.sign_out"
  | "account.enter"
  | "account.leave"
  | "account.onboarding"
  | "account.profile_change"
  | "account.password_change";

const INSERT =
  "INSERT INTO audit_entries (tenant_id, id, at, member_id, account_id, action, subject_id, details, ip) VALUES";
const INSERT_ANYWHERE = `${INSERT} (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes an entry; give it the transaction of what it tells of, so that neither is there without the other. */
export async function recordAudit(
  { tx, clock, ids }: { tx: TenantTx; clock: Clock; ids: Ids },
  by: AuditedBy,
  action: string,
  subjectId: string,
  details: Record<string, unknown>,
): Promise<void> {
  await tx.run(`${INSERT} (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    ...[ids.next("aud"), clock.now(), by.member_id, by.account_id],
    ...[action, subjectId, JSON.stringify(details), by.ip],
  ]);
}

/** The same for what a member does with their own account, across workspaces. */
export async function recordAccountAudit(
  { tx, clock, ids }: { tx: SystemTx; clock: Clock; ids: Ids },
  by: AuditedBy & { tenant_id: string },
  action: AccountAction,
  details: Record<string, unknown> = {},
): Promise<void> {
  await tx.run(INSERT_ANYWHERE, [
    ...[by.tenant_id, ids.next("aud"), clock.now(), by.member_id, by.account_id],
    ...[action, by.member_id, JSON.stringify(details), by.ip],
  ]);
}

/** The same for what no member did: a node, or whoever holds the host of the panel. */
export async function recordSystemAudit(
  { tx, clock, ids }: { tx: SystemTx; clock: Clock; ids: Ids },
  { by, tenant_id, subject_id, ip }: { by: "agent" | "operator"; tenant_id: string; subject_id: string; ip: string },
  action: string,
  details: Record<string, unknown>,
): Promise<void> {
  await tx.run(INSERT_ANYWHERE, [
    ...[tenant_id, ids.next("aud"), clock.now(), by, by],
    ...[action, subject_id, JSON.stringify(details), ip],
  ]);
}

/**
 * True when the workspace's audit log names the member for more than coming and going. Asked while a member leaves, which is
 * across workspaces.
 */
export async function isAudited(tx: SystemTx, tenantId: string, memberId: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM audit_entries WHERE tenant_id = ? AND member_id = ? AND action NOT LIKE 'account.%' LIMIT 1`;
  return (await tx.get(sql, [tenantId, memberId])) !== null;
}

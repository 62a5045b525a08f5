import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";

export interface SessionRow {
  tenant_id: string;
  id: string;
  member_id: string;
  account_id: string;
  created_at: number;
  replaced_at: number | null;
  ended_at: number | null;
  /** The id of the session that the sign-in began with; those that took its place have it too. */
  family: string;
  /** The network that it began in, as limits count them; empty when nobody wrote it down. */
  network: string;
  renewed_at: number;
  /** When whoever holds it last proved who they are. */
  proven_at: number;
  /** 1 when the workspace's own sign-in let them in. */
  wsl: number;
  /** The browser and system that signed in, as people know them; empty when they named none. */
  device: string;
}

export function findSession(db: SystemDb | SystemTx, tenantId: string, id: string): Promise<SessionRow | null> {
  return db.get("SELECT * FROM sessions WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

export async function insertSession(
  tx: SystemTx,
  row: Omit<SessionRow, "replaced_at" | "ended_at" | "renewed_at">,
): Promise<void> {
  await tx.run(
    `INSERT INTO sessions (tenant_id, id, member_id, account_id, created_at, family, network, renewed_at, proven_at, wsl,
       device)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[row.tenant_id, row.id, row.member_id, row.account_id, row.created_at, row.family, row.network],
      ...[row.created_at, row.proven_at, row.wsl, row.device],
    ],
  );
}

/** Notes that whoever holds the session proved who they are. */
export async function proveSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET proven_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

/** Notes that the session's token was made anew. */
export async function renewSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET renewed_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

/**
 * Ends the sessions of an account but for the `keep` that were used last: first those whose place another took, so that going from
 * workspace to workspace ends nobody's sign-in elsewhere. Forgets those that have ended but for the `keep` that ended last and those
 * that a sign-in which goes on began with. Those that a workspace's own sign-in began are counted by themselves: whoever has the say
 * about that must not end the others.
 */
export async function endSurplusSessions(
  tx: SystemTx,
  { account_id, tenant_id, wsl }: Pick<SessionRow, "account_id" | "tenant_id" | "wsl">,
  keep: number,
  at: number,
): Promise<void> {
  const [kind, values] =
    wsl === 1
      ? ["account_id = ? AND wsl = 1 AND tenant_id = ?", [account_id, tenant_id]]
      : ["account_id = ? AND wsl = 0", [account_id]];
  const open = `${kind} AND ended_at IS NULL`;
  await tx.run(
    `UPDATE sessions SET ended_at = ? WHERE ${open} AND id NOT IN (
       SELECT id FROM sessions WHERE ${open}
       ORDER BY CASE WHEN replaced_at IS NULL THEN 0 ELSE 1 END, renewed_at DESC, id DESC LIMIT ?)`,
    [at, ...values, ...values, keep],
  );
  const ended = `${kind} AND ended_at IS NOT NULL`;
  await tx.run(
    `DELETE FROM sessions WHERE ${ended} AND id NOT IN (SELECT family FROM sessions WHERE ${open})
     AND id NOT IN (SELECT id FROM sessions WHERE ${ended} ORDER BY ended_at DESC, id DESC LIMIT ?)`,
    [...values, ...values, ...values, keep],
  );
}

/** A sign-in that goes on: the session that it has come to, and when it began. */
export type OpenSignIn = SessionRow & { begun_at: number };

/** The sign-ins of an account that can still go on, the last used first; those whose token was made before `since` cannot. */
export function listSignIns(
  db: SystemDb | SystemTx,
  accountId: string,
  since: number,
  limit: number,
): Promise<OpenSignIn[]> {
  return db.all(
    `SELECT s.*, coalesce(f.created_at, s.created_at) AS begun_at FROM sessions s
     LEFT JOIN sessions f ON f.account_id = s.account_id AND f.id = s.family
     WHERE s.account_id = ? AND s.ended_at IS NULL AND s.replaced_at IS NULL AND s.renewed_at > ?
     ORDER BY s.renewed_at DESC, s.id DESC LIMIT ?`,
    [accountId, since, limit],
  );
}

/** True when the account signed in from this network lately; whoever has the say about a workspace's own sign-in must not vouch for one. */
export async function isKnownNetwork(db: SystemDb | SystemTx, accountId: string, network: string): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM sessions WHERE account_id = ? AND wsl = 0 AND network = ? LIMIT 1";
  return (await db.get(sql, [accountId, network])) !== null;
}

/** Forgets from which networks an account signed in. */
export async function forgetNetworks(tx: SystemTx, accountId: string): Promise<void> {
  await tx.run("UPDATE sessions SET network = '' WHERE account_id = ? AND network <> ''", [accountId]);
}

/** Forgets the sessions whose token was made before `before` (milliseconds). */
export async function deleteOldSessions(db: SystemDb, before: number): Promise<void> {
  await db.run("DELETE FROM sessions WHERE renewed_at < ?", [before]);
}

/** False when it had been replaced already, or had ended. */
export async function replaceSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<boolean> {
  const sql =
    "UPDATE sessions SET replaced_at = ? WHERE tenant_id = ? AND id = ? AND replaced_at IS NULL AND ended_at IS NULL";
  return (await tx.run(sql, [at, tenantId, id])) === 1;
}

/** Ends every session of an account but one. */
export async function endOtherSessions(tx: SystemTx, accountId: string, keepId: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE account_id = ? AND id <> ? AND ended_at IS NULL", [
    at,
    accountId,
    keepId,
  ]);
}

/** Ends a session and all that took one another's place before and after it; their tokens are refused from then on. */
export async function endFamily(tx: SystemTx, accountId: string, family: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE account_id = ? AND family = ? AND ended_at IS NULL", [
    at,
    accountId,
    family,
  ]);
}

/** How many sessions go on, in all workspaces. */
export const countOpen = (tx: SystemTx): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM sessions WHERE ended_at IS NULL AND replaced_at IS NULL");

/** Ends every session of every account. */
export const endAll = (tx: SystemTx, at: number): Promise<number> =>
  tx.run("UPDATE sessions SET ended_at = ? WHERE ended_at IS NULL", [at]);

/** Ends every session of a member, asked for by the workspace itself. */
export async function endMemberSessions(tx: TenantTx, memberId: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE tenant_id = :tenant AND member_id = ? AND ended_at IS NULL", [
    at,
    memberId,
  ]);
}

/** Ends the sessions that a workspace's own sign-in began, but for one. */
export async function endWorkspaceSignIns(tx: SystemTx, tenantId: string, keepId: string, at: number): Promise<void> {
  await tx.run("UPDATE sessions SET ended_at = ? WHERE tenant_id = ? AND wsl = 1 AND id <> ? AND ended_at IS NULL", [
    at,
    tenantId,
    keepId,
  ]);
}

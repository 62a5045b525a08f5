import { escapeLike } from "../../../lib/like-pattern.ts";
import type { Holding } from "../../base.ts";
import { countRows } from "../../data/count-rows.ts";
import type { SystemDb, SystemTx, TenantQueries } from "../../data/tenant-db.ts";
import { makerMay } from "../../makers.ts";

type System = SystemDb | SystemTx;

/** A workspace as the staff sees it; times in milliseconds. */
export interface WorkspaceRow {
  id: string;
  name: string;
  plan: string;
  status: "active" | "suspended";
  created_at: number;
  members: number;
  nodes: number;
  permit_ends_at: number | null;
}

/** What the staff looks for. */
export interface Wanted {
  text: string;
  status: "active" | "suspended" | null;
}

const OWNED = `EXISTS (SELECT 1 FROM members m JOIN accounts a ON a.id = m.account_id
  WHERE m.tenant_id = t.tenant_id AND m.role = 'org_owner' AND a.email LIKE ? ESCAPE '\\')`;
const FITS = `t.deleted_at IS NULL
  AND (? = '' OR lower(t.name) LIKE ? ESCAPE '\\' OR t.tenant_id = ? OR ${OWNED}) AND (? = '' OR t.status = ?)`;

const valuesOf = ({ text, status }: Wanted) => {
  const like = `%${escapeLike(text.toLowerCase())}%`;
  return [text, like, text, like, status ?? "", status ?? ""];
};

const select = (
  nodes: Holding | undefined,
): string => `SELECT t.tenant_id AS id, t.name, t.plan, t.status, t.created_at,
  (SELECT count(*) FROM members m WHERE m.tenant_id = t.tenant_id AND m.status = 'active') AS members,
  (${nodes?.count("t.tenant_id") ?? "SELECT 0"}) AS nodes,
  (SELECT p.ends_at FROM staff_permits p WHERE p.tenant_id = t.tenant_id AND p.ended_at IS NULL) AS permit_ends_at
  FROM tenants t`;

export function listWorkspaces(
  db: System,
  nodes: Holding | undefined,
  wanted: Wanted,
  limit: number,
  offset: number,
): Promise<WorkspaceRow[]> {
  const sql = `${select(nodes)} WHERE ${FITS} ORDER BY lower(t.name), t.tenant_id LIMIT ? OFFSET ?`;
  return db.all(sql, [...valuesOf(wanted), limit, offset]);
}

export async function countWorkspaces(db: System, wanted: Wanted): Promise<number> {
  const sql = `SELECT count(*) AS count FROM tenants t WHERE ${FITS}`;
  return (await db.get<{ count: number }>(sql, valuesOf(wanted)))?.count ?? 0;
}

export function findWorkspace(db: System, nodes: Holding | undefined, id: string): Promise<WorkspaceRow | null> {
  return db.get(`${select(nodes)} WHERE t.tenant_id = ? AND t.deleted_at IS NULL`, [id]);
}

/** The addresses of a workspace's owners, the first ones first. */
export async function listOwners(db: System, tenantId: string, limit: number): Promise<string[]> {
  const sql = `SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id
    WHERE m.tenant_id = ? AND m.role = 'org_owner' AND m.status = 'active' ORDER BY m.created_at, m.id LIMIT ?`;
  return (await db.all<{ email: string }>(sql, [tenantId, limit])).map(({ email }) => email);
}

export async function updateStatus(tx: SystemTx, tenantId: string, status: "active" | "suspended"): Promise<void> {
  await tx.run("UPDATE tenants SET status = ? WHERE tenant_id = ?", [status, tenantId]);
}

export async function updatePlan(tx: SystemTx, tenantId: string, plan: string): Promise<void> {
  await tx.run("UPDATE tenants SET plan = ? WHERE tenant_id = ?", [plan, tenantId]);
}

/** That staff is let in; times in milliseconds. */
export interface PermitRow {
  tenant_id: string;
  id: string;
  note: string;
  given_by: string;
  given_at: number;
  ends_at: number;
  ended_at: number | null;
}

const PERMIT = "tenant_id, id, note, given_by, given_at, ends_at, ended_at";

/** A permit holds until its time, as long as whoever gave it may give one. */
const HOLDS = `ends_at > ? AND ${makerMay("staff_permits", "given_by", "settings:write")}`;

/** The permit that is open in a workspace; `holds` is 0 for one that is over and only has not ended yet. */
export function findOpenPermit(
  tx: SystemTx,
  tenantId: string,
  now: number,
): Promise<(PermitRow & { holds: number }) | null> {
  const sql = `SELECT ${PERMIT}, CASE WHEN ${HOLDS} THEN 1 ELSE 0 END AS holds FROM staff_permits
    WHERE tenant_id = ? AND ended_at IS NULL`;
  return tx.get(sql, [now, tenantId]);
}

/** How many permits are open. */
export const countOpenPermits = (tx: SystemTx, now: number): Promise<number> =>
  countRows(tx, `SELECT count(*) AS count FROM staff_permits WHERE ended_at IS NULL AND ${HOLDS}`, [now]);

/** Every permit that has not ended. */
export const listOpenPermits = (tx: SystemTx): Promise<PermitRow[]> =>
  tx.all(`SELECT ${PERMIT} FROM staff_permits WHERE ended_at IS NULL ORDER BY tenant_id`);

/** How many accounts are of the staff. */
export const countStaff = (tx: SystemTx): Promise<number> =>
  countRows(tx, "SELECT count(*) AS count FROM accounts WHERE global_role = 'admin'");

/** Workspaces with an open permit that holds no longer. */
export function listDue(db: SystemDb, now: number, limit: number): Promise<{ tenant_id: string }[]> {
  const sql = `SELECT tenant_id FROM staff_permits WHERE ended_at IS NULL AND NOT (${HOLDS}) ORDER BY ends_at LIMIT ?`;
  return db.all(sql, [now, limit]);
}

export async function insertPermit(tx: SystemTx, row: PermitRow): Promise<void> {
  await tx.run(
    "INSERT INTO staff_permits (tenant_id, id, note, given_by, given_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)",
    [row.tenant_id, row.id, row.note, row.given_by, row.given_at, row.ends_at],
  );
}

/**
 * Forgets permits that are over but for the `keep` newest, and those by which one of the staff came in last: whoever never came in by a
 * permit was one of the workspace's own people.
 */
export async function deleteOldPermits(tx: SystemTx, tenantId: string, keep: number): Promise<void> {
  await tx.run(
    `DELETE FROM staff_permits WHERE tenant_id = ? AND ended_at IS NOT NULL
     AND id NOT IN (SELECT id FROM staff_permits WHERE tenant_id = ? ORDER BY given_at DESC, id DESC LIMIT ?)
     AND id NOT IN (SELECT max(permit_id) FROM staff_visits WHERE tenant_id = ? GROUP BY member_id)`,
    [tenantId, tenantId, keep, tenantId],
  );
}

export async function endPermit(tx: SystemTx, { tenant_id, id }: PermitRow, at: number): Promise<void> {
  await tx.run("UPDATE staff_permits SET ended_at = ? WHERE tenant_id = ? AND id = ?", [at, tenant_id, id]);
}

const PAST = `SELECT ${PERMIT.replaceAll(/\b(\w+)\b/g, "p.$1")}, a.display_name AS giver FROM staff_permits p
  LEFT JOIN members m ON m.tenant_id = p.tenant_id AND m.id = p.given_by LEFT JOIN accounts a ON a.id = m.account_id
  WHERE p.tenant_id = :tenant ORDER BY p.given_at DESC, p.id DESC LIMIT ?`;

/** The permits of the caller's workspace, the newest first. */
export function listPermits(db: TenantQueries, limit: number): Promise<(PermitRow & { giver: string | null })[]> {
  return db.all(PAST, [limit]);
}

/** Somebody of the staff who came in by a permit. */
export interface VisitRow {
  permit_id: string;
  member_id: string;
  name: string;
  entered_at: number;
}

const VISITS = "SELECT permit_id, member_id, name, entered_at FROM staff_visits WHERE tenant_id = :tenant";

/** Everybody who came in by any permit of the caller's workspace. */
export function listVisits(db: TenantQueries, limit: number): Promise<VisitRow[]> {
  return db.all(`${VISITS} ORDER BY entered_at DESC LIMIT ?`, [limit]);
}

/** Who came in by one permit. */
export function listVisitors(tx: SystemTx, { tenant_id, id }: PermitRow): Promise<VisitRow[]> {
  return tx.all(
    "SELECT permit_id, member_id, name, entered_at FROM staff_visits WHERE tenant_id = ? AND permit_id = ?",
    [tenant_id, id],
  );
}

/** Those who came in by a permit that is open, and are of the staff no longer or have no second factor any more. */
export function listFormerStaff(db: System, limit: number): Promise<{ tenant_id: string; member_id: string }[]> {
  return db.all(
    `SELECT v.tenant_id, v.member_id FROM staff_permits p
     JOIN staff_visits v ON v.tenant_id = p.tenant_id AND v.permit_id = p.id
     JOIN members m ON m.tenant_id = v.tenant_id AND m.id = v.member_id JOIN accounts a ON a.id = m.account_id
     WHERE p.ended_at IS NULL AND m.status = 'active' 
     AND (a.global_role IS NULL OR a.has_factor = 0) LIMIT ?`,
    [limit],
  );
}

export async function insertVisit(tx: SystemTx, tenantId: string, row: VisitRow): Promise<void> {
  await tx.run(
    `INSERT INTO staff_visits (tenant_id, permit_id, member_id, name, entered_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, permit_id, member_id) DO NOTHING`,
    [tenantId, row.permit_id, row.member_id, row.name, row.entered_at],
  );
}

/** Whether a member came in by a permit at any time. */
export async function hasVisited(tx: SystemTx, tenantId: string, memberId: string): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM staff_visits WHERE tenant_id = ? AND member_id = ? LIMIT 1";
  return (await tx.get(sql, [tenantId, memberId])) !== null;
}

export async function enableMember(tx: SystemTx, tenantId: string, memberId: string): Promise<void> {
  await tx.run("UPDATE members SET status = 'active', role = 'org_viewer' WHERE tenant_id = ? AND id = ?", [
    tenantId,
    memberId,
  ]);
}

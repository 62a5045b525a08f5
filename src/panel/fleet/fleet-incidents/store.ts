import { escapeLike } from "../../../lib/like-pattern.ts";
import type { NameSource, PanelTx } from "../../base.ts";
import type { SystemDb, SystemTx, TenantDb, TenantQueries } from "../../data/tenant-db.ts";
import type { Incident } from "./contract.ts";

/** An incident; times in milliseconds. */
export interface IncidentRow {
  id: string;
  rule: Incident["rule"];
  region: string;
  severity: "warning" | "critical";
  /** What was wrong with its first node; empty for those from before it was kept. */
  title: string;
  nodes_first: number;
  nodes_most: number;
  since: number;
  opened_at: number;
  escalated_at: number | null;
  resolved_at: number | null;
  known_by: string | null;
  known_at: number | null;
  reopened: number;
  /** The thing that was declared, and its page; empty for causes that are seen. */
  subject: string;
  link: string;
}

const COLUMNS = `i.id, i.rule, i.region, i.severity, i.title, i.nodes_first, i.nodes_most, i.since, i.opened_at,
  i.escalated_at, i.resolved_at, i.known_by, i.known_at, i.reopened, i.subject, i.link`;

/** The workspaces that have nodes or open incidents, after `after`, at most `limit`. */
export async function listWatched(db: SystemDb, after: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ tenant_id: string }>(
    `SELECT DISTINCT tenant_id FROM (
       SELECT tenant_id FROM nodes WHERE deleted_at IS NULL
       UNION SELECT tenant_id FROM fleet_incidents WHERE resolved_at IS NULL
     ) AS watched WHERE tenant_id > ? ORDER BY tenant_id LIMIT ?`,
    [after, limit],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Of causes that are seen: those open, and those that ended after `endedAfter`; of one cause the latest last. */
export function listLatest(tx: SystemTx, tenantId: string, endedAfter: number): Promise<IncidentRow[]> {
  return tx.all(
    `SELECT ${COLUMNS} FROM fleet_incidents i
     WHERE tenant_id = ? AND subject = '' AND (resolved_at IS NULL OR resolved_at > ?) ORDER BY opened_at, id`,
    [tenantId, endedAfter],
  );
}

/** Those with a text in their title or region, the open ones first, then the latest. */
export function findByText(
  db: TenantDb,
  text: string,
  limit: number,
): Promise<Pick<IncidentRow, "id" | "title" | "region" | "severity" | "resolved_at">[]> {
  const words = `%${escapeLike(text.toLowerCase())}%`;
  return db.all(
    `SELECT id, title, region, severity, resolved_at FROM fleet_incidents WHERE tenant_id = :tenant AND title <> ''
     AND (lower(title) LIKE ? ESCAPE '\\' OR lower(region) LIKE ? ESCAPE '\\')
     ORDER BY CASE WHEN resolved_at IS NULL THEN 0 ELSE 1 END, opened_at DESC, id DESC LIMIT ?`,
    [words, words, limit],
  );
}

export async function insertIncident(
  tx: SystemTx,
  tenantId: string,
  row: Pick<IncidentRow, "id" | "rule" | "region" | "severity" | "title" | "since" | "opened_at"> & {
    nodes: number;
    subject?: string;
    link?: string;
  },
): Promise<void> {
  const { id, rule, region, severity, title, nodes, since, opened_at, subject = "", link = "" } = row;
  await tx.run(
    `INSERT INTO fleet_incidents (tenant_id, id, rule, region, severity, title, nodes_first, nodes_most, since, opened_at,
       subject, link)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [tenantId, id, rule, region, severity, title, nodes, nodes, since, opened_at, subject, link],
  );
}

/** The incident of a thing that was declared, open or remembered; null for none. */
export function findDeclared(
  tx: SystemTx,
  tenantId: string,
  rule: string,
  subject: string,
): Promise<Pick<IncidentRow, "id" | "resolved_at"> | null> {
  return tx.get(
    `SELECT id, resolved_at FROM fleet_incidents WHERE tenant_id = ? AND rule = ? AND region = '' AND subject = ?
     ORDER BY opened_at DESC, id DESC LIMIT 1`,
    [tenantId, rule, subject],
  );
}

/** The same cause is back soon after it was over. */
export async function reopen(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run(
    // What was known of it was known of the time before.
    `UPDATE fleet_incidents SET resolved_at = NULL, known_by = NULL, known_at = NULL, reopened = reopened + 1
     WHERE tenant_id = ? AND id = ?`,
    [tenantId, id],
  );
}

export async function noteGrowth(tx: SystemTx, tenantId: string, id: string, nodes: number): Promise<void> {
  await tx.run("UPDATE fleet_incidents SET nodes_most = ? WHERE tenant_id = ? AND id = ?", [nodes, tenantId, id]);
}

export async function markEscalated(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void> {
  await tx.run("UPDATE fleet_incidents SET escalated_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

export async function resolve(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void> {
  await tx.run("UPDATE fleet_incidents SET resolved_at = ? WHERE tenant_id = ? AND id = ?", [at, tenantId, id]);
}

/** Whoever said last, and not before `after`, that they know of alerts of this cause that began since; null for nobody. */
export function findKnown(
  tx: SystemTx,
  tenantId: string,
  { rule, region, since }: Pick<IncidentRow, "rule" | "region" | "since">,
  after = 0,
): Promise<{ member_id: string; at: number } | null> {
  return tx.get(
    `SELECT member_id, at FROM alert_acknowledgements
     WHERE tenant_id = ? AND rule = ? AND region = ? AND to_at >= ? AND at >= ? ORDER BY at DESC, id DESC LIMIT 1`,
    [tenantId, rule, region, since, after],
  );
}

/** When an incident that is open began to be so: when it came back last, or was opened. */
export async function findBegun(
  tx: SystemTx,
  tenantId: string,
  { id, opened_at, reopened }: Pick<IncidentRow, "id" | "opened_at" | "reopened">,
): Promise<number> {
  if (reopened === 0) return opened_at;
  const row = await tx.get<{ at: number | null }>(
    "SELECT MAX(at) AS at FROM fleet_incident_entries WHERE tenant_id = ? AND incident_id = ? AND kind = 'reopened'",
    [tenantId, id],
  );
  return Number(row?.at ?? opened_at);
}

/** An incident with the name of whoever said last that they know of it. */
export type NamedIncidentRow = IncidentRow & { known_name: string | null };

const named = ([source]: readonly NameSource[]): string =>
  `SELECT ${COLUMNS}, ${source ? `(${source.select("i.known_by")})` : "NULL"} AS known_name FROM fleet_incidents i
   WHERE i.tenant_id = :tenant`;

/** The workspace's open incidents: what nobody has first, then the worst, then the newest. */
export function listOpen(
  db: TenantQueries,
  members: readonly NameSource[],
  limit: number,
): Promise<NamedIncidentRow[]> {
  return db.all(
    `${named(members)} AND i.resolved_at IS NULL ORDER BY CASE WHEN i.known_at IS NULL THEN 0 ELSE 1 END,
     CASE WHEN i.severity = 'critical' THEN 0 ELSE 1 END, i.opened_at DESC, i.id DESC LIMIT ?`,
    [limit],
  );
}

/** How many are open in each of these workspaces; those that are left out have none. */
export async function countOpen(db: SystemDb, tenantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await db.all<{ tenant_id: string; count: number }>(
    `SELECT tenant_id, count(*) AS count FROM fleet_incidents
     WHERE resolved_at IS NULL AND tenant_id IN (${tenantIds.map(() => "?").join(", ")}) GROUP BY tenant_id`,
    [...tenantIds],
  );
  return new Map(rows.map(({ tenant_id, count }) => [tenant_id, Number(count)]));
}

/** Those of the workspace that are over and whose id comes before `before`, the newest first. */
export function listOver(
  db: TenantDb,
  members: readonly NameSource[],
  before: string,
  limit: number,
): Promise<NamedIncidentRow[]> {
  const sql = `${named(members)} AND i.resolved_at IS NOT NULL AND i.id < ? ORDER BY i.id DESC LIMIT ?`;
  return db.all(sql, [before, limit]);
}

export function findIncident(
  db: TenantQueries,
  members: readonly NameSource[],
  id: string,
): Promise<NamedIncidentRow | null> {
  return db.get(`${named(members)} AND i.id = ?`, [id]);
}

/** Says who has an incident. */
export async function markKnown(
  tx: SystemTx,
  tenantId: string,
  id: string,
  { member_id, at }: { member_id: string; at: number },
): Promise<void> {
  const sql = "UPDATE fleet_incidents SET known_by = ?, known_at = ? WHERE tenant_id = ? AND id = ?";
  await tx.run(sql, [member_id, at, tenantId, id]);
}

/** Says who has the open incident of a cause: gives its id, or null when there is none. */
export async function markCauseKnown(
  tx: PanelTx,
  { rule, region, member_id, at }: { rule: string; region: string; member_id: string; at: number },
): Promise<string | null> {
  if (!("tenant_id" in tx)) throw new Error("alerts are acknowledged in one workspace");
  const row = await tx.get<{ id: string }>(
    `UPDATE fleet_incidents SET known_by = ?, known_at = ?
     WHERE tenant_id = :tenant AND rule = ? AND region = ? AND resolved_at IS NULL RETURNING id`,
    [member_id, at, rule, region],
  );
  return row?.id ?? null;
}

/**
 * Forgets those that ended before a time, and of each workspace those that are over but for the `keep` that ended last, with all that was
 * written of them.
 */
export async function deleteOld(db: SystemDb, before: number, keep: number): Promise<void> {
  const old = `SELECT tenant_id, id FROM (SELECT tenant_id, id, resolved_at,
      row_number() OVER (PARTITION BY tenant_id ORDER BY resolved_at DESC, id DESC) AS place
    FROM fleet_incidents WHERE resolved_at IS NOT NULL) AS over_ones WHERE resolved_at < ? OR place > ?`;
  await db.tx(async (tx) => {
    for (const table of ["fleet_incident_entries", "fleet_incident_nodes"])
      await tx.run(`DELETE FROM ${table} WHERE (tenant_id, incident_id) IN (${old})`, [before, keep]);
    await tx.run(`DELETE FROM fleet_incidents WHERE (tenant_id, id) IN (${old})`, [before, keep]);
  });
}

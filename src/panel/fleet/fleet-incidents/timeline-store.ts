import type { NameSource, PanelTx } from "../../base.ts";
import type { SystemTx, TenantDb, TenantQueries, TenantTx } from "../../data/tenant-db.ts";
import type { IncidentEntry } from "./contract.ts";

/** What happened to an incident; times in milliseconds, `member_id` empty where nobody did it. */
export interface EntryRow {
  id: string;
  at: number;
  kind: IncidentEntry["kind"];
  member_id: string;
  text: string;
  nodes: number;
}

/** What happened to one incident beside notes, which have a number of their own: nodes that come and go make it begin again for ever. */
const KEPT = 1_000;
const OTHERS = "incident_id = ? AND kind NOT IN ('opened', 'noted')";

const INSERT = `INSERT INTO fleet_incident_entries (tenant_id, incident_id, id, at, kind, member_id, text, nodes)
  VALUES`;

/**
 * Writes one down, and forgets what happened long before it. In a transaction of one workspace it belongs to that one, whatever it says.
 */
export async function insertEntry(tx: PanelTx, tenantId: string, incidentId: string, row: EntryRow): Promise<void> {
  const values = [incidentId, row.id, row.at, row.kind, row.member_id, row.text, row.nodes];
  const isOwn = "tenant_id" in tx;
  const tenant = isOwn ? [] : [tenantId];
  const place = isOwn ? ":tenant" : "?";
  await tx.run(`${INSERT} (${place}, ?, ?, ?, ?, ?, ?, ?)`, [...tenant, ...values]);
  const surplus = `SELECT id FROM fleet_incident_entries WHERE tenant_id = ${place} AND ${OTHERS} ORDER BY id DESC LIMIT 1 OFFSET ?`;
  const last = await tx.get<{ id: string }>(surplus, [...tenant, incidentId, KEPT]);
  if (last === null) return;
  const sql = `DELETE FROM fleet_incident_entries WHERE tenant_id = ${place} AND ${OTHERS} AND id <= ?`;
  await tx.run(sql, [...tenant, incidentId, last.id]);
}

/** What happened to an incident, the latest first, with the names of those who did it. */
export function listEntries(
  db: TenantQueries,
  members: readonly NameSource[],
  incidentId: string,
  limit: number,
): Promise<(EntryRow & { by: string | null })[]> {
  const [source] = members;
  return db.all(
    `SELECT e.id, e.at, e.kind, e.member_id, e.text, e.nodes, ${source ? `(${source.select("e.member_id")})` : "NULL"} AS by
     FROM fleet_incident_entries e WHERE e.tenant_id = :tenant AND e.incident_id = ? ORDER BY e.at DESC, e.id DESC LIMIT ?`,
    [incidentId, limit],
  );
}

export async function countNotes(tx: TenantTx, incidentId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    `SELECT count(*) AS count FROM fleet_incident_entries
     WHERE tenant_id = :tenant AND incident_id = ? AND kind = 'noted'`,
    [incidentId],
  );
  return Number(row?.count ?? 0);
}

/** A node that an incident is about, since when. */
export interface AffectedRow {
  node_id: string;
  since: number;
}

/** Adds a node to an incident; one that is there already stays as it is. */
export async function insertAffected(
  tx: SystemTx,
  tenantId: string,
  incidentId: string,
  { node_id, since }: AffectedRow,
): Promise<void> {
  await tx.run(
    `INSERT INTO fleet_incident_nodes (tenant_id, incident_id, node_id, since) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant_id, incident_id, node_id) DO NOTHING`,
    [tenantId, incidentId, node_id, since],
  );
}

/** The nodes of an incident, those since longest first, with the names of those that are deleted too. */
export function listAffected(
  db: TenantDb,
  nodes: readonly NameSource[],
  incidentId: string,
  limit: number,
): Promise<(AffectedRow & { name: string | null })[]> {
  const [source] = nodes;
  return db.all(
    `SELECT a.node_id, a.since, ${source ? `(${source.select("a.node_id")})` : "NULL"} AS name
     FROM fleet_incident_nodes a WHERE a.tenant_id = :tenant AND a.incident_id = ? ORDER BY a.since, a.node_id LIMIT ?`,
    [incidentId, limit],
  );
}

import type { SqlValue } from "../../../kernel/sql/port.ts";
import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";

/** How a fleet stood at one moment (milliseconds). */
export interface Snapshot {
  at: number;
  total: number;
  online: number;
  degraded: number;
  offline: number;
  clients: number;
  node_groups: number;
  incidents: number;
}

/** Processor use over the nodes of a fleet that reported, percent, from `at` (milliseconds) on. */
export interface CpuPoint {
  at: number;
  nodes: number;
  p50: number;
  p95: number;
}

/** The ids of all workspaces after `after`, at most `limit`. */
export async function listTenants(db: SystemDb, after: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ tenant_id: string }>(
    "SELECT tenant_id FROM tenants WHERE tenant_id > ? ORDER BY tenant_id LIMIT ?",
    [after, limit],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** How many clients each service provider's workspace has. */
export async function countClients(db: SystemDb): Promise<Map<string, number>> {
  const rows = await db.all<{ tenant_id: string; count: number }>(
    `SELECT parent_tenant_id AS tenant_id, count(*) AS count FROM tenants WHERE parent_tenant_id IS NOT NULL
     GROUP BY parent_tenant_id`,
  );
  return new Map(rows.map(({ tenant_id, count }) => [tenant_id, count]));
}

/** How many groups each workspace has that has any. */
export async function countGroups(db: SystemDb): Promise<Map<string, number>> {
  const rows = await db.all<{ tenant_id: string; count: number }>(
    "SELECT tenant_id, count(*) AS count FROM node_groups GROUP BY tenant_id",
  );
  return new Map(rows.map(({ tenant_id, count }) => [tenant_id, count]));
}

export async function insertCpuPoint(tx: SystemTx, tenantId: string, spanMs: number, point: CpuPoint): Promise<void> {
  await tx.run(
    `INSERT INTO fleet_cpu (tenant_id, span_ms, at, nodes, p50, p95) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, span_ms, at) DO UPDATE SET nodes = excluded.nodes, p50 = excluded.p50, p95 = excluded.p95`,
    [tenantId, spanMs, point.at, point.nodes, point.p50, point.p95],
  );
}

/** Puts points of one span that lie in [from, to) together into points of a longer one: averages, and the most nodes. */
export async function rollUpCpu(
  db: SystemDb,
  { fromSpan, toSpan, from, to }: { fromSpan: number; toSpan: number; from: number; to: number },
): Promise<void> {
  // The longer span is written in twice for engines that would take two parameters for two expressions.
  const values: SqlValue[] = [toSpan, toSpan, fromSpan, from, to];
  await db.run(
    `INSERT INTO fleet_cpu (tenant_id, span_ms, at, nodes, p50, p95)
     SELECT tenant_id, CAST(? AS BIGINT), start, max(nodes), avg(p50), avg(p95)
     FROM (SELECT tenant_id, at - at % CAST(? AS BIGINT) AS start, nodes, p50, p95 FROM fleet_cpu
       WHERE span_ms = ? AND at >= ? AND at < ?) AS fresh
     WHERE true GROUP BY tenant_id, start
     ON CONFLICT (tenant_id, span_ms, at) DO UPDATE SET nodes = excluded.nodes, p50 = excluded.p50, p95 = excluded.p95`,
    values,
  );
}

export async function deleteCpuBefore(db: SystemDb, spanMs: number, before: number): Promise<void> {
  await db.run("DELETE FROM fleet_cpu WHERE span_ms = ? AND at < ?", [spanMs, before]);
}

export async function insertSnapshot(tx: SystemTx, tenantId: string, snapshot: Snapshot): Promise<void> {
  const { at, total, online, degraded, offline, clients, node_groups, incidents } = snapshot;
  await tx.run(
    `INSERT INTO fleet_snapshots (tenant_id, at, total, online, degraded, offline, clients, node_groups, incidents)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, at) DO NOTHING`,
    [tenantId, at, total, online, degraded, offline, clients, node_groups, incidents],
  );
}

export async function deleteSnapshotsBefore(db: SystemDb, before: number): Promise<void> {
  await db.run("DELETE FROM fleet_snapshots WHERE at < ?", [before]);
}

/** The workspace's snapshot nearest to `at` that is at most `within` away (milliseconds); null when there is none. */
export function findSnapshot(db: TenantDb, at: number, within: number): Promise<Snapshot | null> {
  return db.get(
    `SELECT at, total, online, degraded, offline, clients, node_groups, incidents FROM fleet_snapshots
     WHERE tenant_id = :tenant AND at >= ? AND at <= ? ORDER BY abs(at - ?), at LIMIT 1`,
    [at - within, at + within, at],
  );
}

/** The workspace's processor use from `from` on (milliseconds), oldest first. */
export function listCpuPoints(db: TenantDb, spanMs: number, from: number): Promise<CpuPoint[]> {
  return db.all(
    `SELECT at, nodes, p50, p95 FROM fleet_cpu WHERE tenant_id = :tenant AND span_ms = ? AND at >= ?
     ORDER BY at LIMIT 1000`,
    [spanMs, from],
  );
}

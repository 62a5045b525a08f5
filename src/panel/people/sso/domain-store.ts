import type { SystemDb, SystemTx, TenantDb } from "../../data/tenant-db.ts";

/** A domain that a workspace says is its own; times in milliseconds. */
export interface DomainRow {
  tenant_id: string;
  id: string;
  host: string;
  token: string;
  created_at: number;
  verified_at: number | null;
  checked_at: number | null;
  failing_since: number | null;
}

const DOMAIN = `SELECT tenant_id, id, host, token, created_at, verified_at, checked_at, failing_since FROM sso_domains`;

/** The domains of the caller's workspace. */
export function listDomains(db: TenantDb): Promise<DomainRow[]> {
  return db.all(`${DOMAIN} WHERE tenant_id = :tenant ORDER BY host`);
}

export function findDomain(tx: SystemTx | SystemDb, tenantId: string, id: string): Promise<DomainRow | null> {
  return tx.get(`${DOMAIN} WHERE tenant_id = ? AND id = ?`, [tenantId, id]);
}

/** The workspace that has proven that a domain is its own; null for none. */
export async function findOwnerOf(db: SystemTx | SystemDb, host: string): Promise<string | null> {
  const sql = "SELECT tenant_id FROM sso_domains WHERE host = ? AND verified_at IS NOT NULL";
  return (await db.get<{ tenant_id: string }>(sql, [host]))?.tenant_id ?? null;
}

/** The sign-in of the workspace that a domain is proven to be of; null where none is on. */
export function findSignInOf(db: SystemDb, host: string): Promise<{ id: string; name: string } | null> {
  return db.get(
    `SELECT c.id, c.name FROM sso_domains d JOIN sso_connectors c ON c.tenant_id = d.tenant_id
     WHERE d.host = ? AND d.verified_at IS NOT NULL AND c.state <> 'off' ORDER BY c.id LIMIT 1`,
    [host],
  );
}

/** How many domains a workspace has, and how many of them are proven. */
export async function countDomains(tx: SystemTx, tenantId: string): Promise<{ all: number; verified: number }> {
  const row = await tx.get<{ count: number; verified: number }>(
    "SELECT count(*) AS count, count(verified_at) AS verified FROM sso_domains WHERE tenant_id = ?",
    [tenantId],
  );
  return { all: row?.count ?? 0, verified: row?.verified ?? 0 };
}

/** False when it is in the list already. */
export async function insertDomain(tx: SystemTx, row: DomainRow): Promise<boolean> {
  const inserted = await tx.run(
    `INSERT INTO sso_domains (tenant_id, id, host, token, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, host) DO NOTHING`,
    [row.tenant_id, row.id, row.host, row.token, row.created_at],
  );
  return inserted === 1;
}

/** Writes down what the last look at the DNS found. */
export async function updateDomain(tx: SystemTx, row: DomainRow): Promise<void> {
  await tx.run(
    "UPDATE sso_domains SET verified_at = ?, checked_at = ?, failing_since = ? WHERE tenant_id = ? AND id = ?",
    [row.verified_at, row.checked_at, row.failing_since, row.tenant_id, row.id],
  );
}

export async function deleteDomain(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM sso_domains WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** Proven domains that nobody has looked at since a time, the longest ago first. */
export function listDue(db: SystemDb, before: number, limit: number): Promise<DomainRow[]> {
  return db.all(`${DOMAIN} WHERE verified_at IS NOT NULL AND checked_at < ? ORDER BY checked_at LIMIT ?`, [
    before,
    limit,
  ]);
}

/** The domains that a workspace has proven, by name. */
export async function listProven(tx: SystemTx, tenantId: string): Promise<string[]> {
  const sql = "SELECT host FROM sso_domains WHERE tenant_id = ? AND verified_at IS NOT NULL ORDER BY host";
  return (await tx.all<{ host: string }>(sql, [tenantId])).map(({ host }) => host);
}

/** The domains that the caller's workspace has proven to be its own. */
export async function listVerified(db: TenantDb): Promise<string[]> {
  const sql = "SELECT host FROM sso_domains WHERE tenant_id = :tenant AND verified_at IS NOT NULL ORDER BY host";
  return (await db.all<{ host: string }>(sql)).map(({ host }) => host);
}

import type { SystemDb, SystemTx, TenantDb, TenantTx } from "../../data/tenant-db.ts";
import type { RoleName } from "../tenants/contract.ts";
import type { ConnectorKind, ConnectorState, GivenRole } from "./contract.ts";

/** A connector; times in milliseconds, what has parts as JSON. */
export interface ConnectorRow {
  tenant_id: string;
  id: string;
  kind: ConnectorKind;
  name: string;
  issuer: string;
  oidc_client: string;
  sealed_secret: string | null;
  /** What only SAML has. */
  saml: string | null;
  /** When its metadata is looked at next; null for one whose metadata stands nowhere. */
  metadata_due: number | null;
  role_claim: string | null;
  role_rules: string;
  default_role: GivenRole | null;
  state: ConnectorState;
  version: number;
  tested_version: number;
  last_test: string | null;
  updated_at: number;
}

const COLUMNS = `tenant_id, id, kind, name, issuer, oidc_client, sealed_secret, saml, metadata_due, role_claim, role_rules, default_role,
  state, version, tested_version, last_test, updated_at`;

/** Nobody comes in any more where the workspace is deleted, whose rows go in parts. */
const IS_THERE =
  "EXISTS (SELECT 1 FROM tenants t WHERE t.tenant_id = sso_connectors.tenant_id AND t.deleted_at IS NULL)";

/** A connector of any workspace, for those who are not signed in yet. */
export function findConnectorById(db: SystemDb | SystemTx, id: string): Promise<ConnectorRow | null> {
  return db.get(`SELECT ${COLUMNS} FROM sso_connectors WHERE id = ? AND ${IS_THERE}`, [id]);
}

/** A connector of one workspace. */
export function findConnector(tx: SystemTx, tenantId: string, id: string): Promise<ConnectorRow | null> {
  return tx.get(`SELECT ${COLUMNS} FROM sso_connectors WHERE tenant_id = ? AND id = ? AND ${IS_THERE}`, [tenantId, id]);
}

/** The connectors of the caller's workspace with how many came in through each. */
export function listConnectors(db: TenantDb): Promise<(ConnectorRow & { members: number })[]> {
  return db.all(
    `SELECT ${COLUMNS}, (SELECT count(DISTINCT l.member_id) FROM sso_links l WHERE l.tenant_id = :tenant
       AND l.connector_id = sso_connectors.id) AS members
     FROM sso_connectors WHERE tenant_id = :tenant ORDER BY created_at, id`,
  );
}

/** How many connectors a workspace has. */
export async function countConnectors(tx: SystemTx, tenantId: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM sso_connectors WHERE tenant_id = ?";
  return (await tx.get<{ count: number }>(sql, [tenantId]))?.count ?? 0;
}

export async function insertConnector(tx: SystemTx, row: ConnectorRow): Promise<void> {
  await tx.run(
    `INSERT INTO sso_connectors (tenant_id, id, kind, name, issuer, oidc_client, sealed_secret, saml, metadata_due, role_claim,
       role_rules, default_role, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[row.tenant_id, row.id, row.kind, row.name, row.issuer, row.oidc_client, row.sealed_secret, row.saml],
      ...[row.metadata_due, row.role_claim, row.role_rules, row.default_role, row.updated_at, row.updated_at],
    ],
  );
}

export async function updateConnector(tx: SystemTx, row: ConnectorRow): Promise<void> {
  await tx.run(
    `UPDATE sso_connectors SET name = ?, issuer = ?, oidc_client = ?, sealed_secret = ?, saml = ?, metadata_due = ?, role_claim = ?,
       role_rules = ?, default_role = ?, state = ?, version = ?, tested_version = ?, last_test = ?, updated_at = ?
     WHERE tenant_id = ? AND id = ?`,
    [
      ...[row.name, row.issuer, row.oidc_client, row.sealed_secret, row.saml, row.metadata_due],
      ...[row.role_claim, row.role_rules, row.default_role],
      ...[row.state, row.version, row.tested_version, row.last_test, row.updated_at, row.tenant_id, row.id],
    ],
  );
}

/** Connectors of all workspaces whose metadata is to be looked at, the longest due first. */
export function listMetadataDue(db: SystemDb, now: number, limit: number): Promise<ConnectorRow[]> {
  return db.all(`SELECT ${COLUMNS} FROM sso_connectors WHERE metadata_due <= ? ORDER BY metadata_due LIMIT ?`, [
    now,
    limit,
  ]);
}

/** A connector of SAML that lets people in, with what was told of its certificate. */
export type WatchedRow = Pick<ConnectorRow, "tenant_id" | "id" | "name" | "saml"> & { certificate_told: string | null };

const WATCHED = `SELECT tenant_id, id, name, saml, certificate_told FROM sso_connectors WHERE kind = 'saml' AND state <> 'off'`;

/** Those of all workspaces. */
export function listWatched(db: SystemDb): Promise<WatchedRow[]> {
  return db.all(`${WATCHED} ORDER BY tenant_id, id`);
}

export function findWatched(tx: SystemTx, tenantId: string, id: string): Promise<WatchedRow | null> {
  return tx.get(`${WATCHED} AND tenant_id = ? AND id = ?`, [tenantId, id]);
}

export async function updateCertificateTold(
  tx: SystemTx,
  { tenant_id, id }: Pick<WatchedRow, "tenant_id" | "id">,
  told: string,
): Promise<void> {
  await tx.run("UPDATE sso_connectors SET certificate_told = ? WHERE tenant_id = ? AND id = ?", [told, tenant_id, id]);
}

/** The connectors of any workspace, by name. */
export function listNames(tx: SystemTx, tenantId: string): Promise<Pick<ConnectorRow, "id" | "name">[]> {
  return tx.all("SELECT id, name FROM sso_connectors WHERE tenant_id = ? ORDER BY id", [tenantId]);
}

export async function deleteConnector(tx: SystemTx, tenantId: string, id: string): Promise<void> {
  await tx.run("DELETE FROM sso_links WHERE tenant_id = ? AND connector_id = ?", [tenantId, id]);
  await tx.run("DELETE FROM sso_assertions WHERE tenant_id = ? AND connector_id = ?", [tenantId, id]);
  await tx.run("DELETE FROM sso_connectors WHERE tenant_id = ? AND id = ?", [tenantId, id]);
}

/** Says by which sign-in of its own the members of a workspace have to come; null for any. */
export async function updateWantedSignIn(
  tx: SystemTx,
  tenantId: string,
  connectorId: string | null,
  breakGlassId: string | null,
): Promise<void> {
  await tx.run("UPDATE tenants SET sign_in = ? WHERE tenant_id = ?", [connectorId, tenantId]);
  await tx.run("UPDATE members SET is_break_glass = CASE WHEN id = ? THEN 1 ELSE 0 END WHERE tenant_id = ?", [
    breakGlassId ?? "",
    tenantId,
  ]);
}

/** An owner who can sign in. */
export interface OwnerRow {
  member_id: string;
  name: string;
  email: string;
  has_factor: number;
}

const OWNERS = `SELECT m.id AS member_id, a.display_name AS name, a.email, a.has_factor FROM members m
  JOIN accounts a ON a.id = m.account_id WHERE m.role = 'org_owner' AND m.status = 'active' AND m.tenant_id`;

/** The owners of the caller's workspace. */
export function listOwners(db: TenantDb | TenantTx): Promise<OwnerRow[]> {
  return db.all(`${OWNERS} = :tenant ORDER BY a.has_factor DESC, m.created_at, m.id LIMIT 50`);
}

/** One of them. */
export function findOwner(tx: SystemTx, tenantId: string, memberId: string): Promise<OwnerRow | null> {
  return tx.get(`${OWNERS} = ? AND m.id = ?`, [tenantId, memberId]);
}

/** True when an owner came in through the workspace's own sign-in since a time. */
export async function hasOwnerComeThrough(tx: SystemTx, tenantId: string, since: number): Promise<boolean> {
  const row = await tx.get(
    `SELECT 1 AS one FROM sessions s JOIN members m ON m.tenant_id = s.tenant_id AND m.id = s.member_id
     WHERE s.tenant_id = ? AND s.wsl = 1 AND s.created_at >= ? AND m.role = 'org_owner' AND m.status = 'active' LIMIT 1`,
    [tenantId, since],
  );
  return row !== null;
}

/** Who somebody at a provider is, across the connectors' own names for them. */
export interface LinkKey {
  tenant_id: string;
  connector_id: string;
  issuer: string;
  subject: string;
}

/** The member that somebody at the provider is; null while they are nobody here. */
export async function findLinkedMember(tx: SystemTx, key: LinkKey): Promise<string | null> {
  const row = await tx.get<{ member_id: string }>(
    "SELECT member_id FROM sso_links WHERE tenant_id = ? AND connector_id = ? AND issuer = ? AND subject = ?",
    [key.tenant_id, key.connector_id, key.issuer, key.subject],
  );
  return row?.member_id ?? null;
}

/** True when a member is somebody at this provider already. */
export async function isLinked(tx: SystemTx, key: Omit<LinkKey, "subject">, memberId: string): Promise<boolean> {
  const row = await tx.get(
    "SELECT 1 AS one FROM sso_links WHERE tenant_id = ? AND connector_id = ? AND issuer = ? AND member_id = ? LIMIT 1",
    [key.tenant_id, key.connector_id, key.issuer, memberId],
  );
  return row !== null;
}

/** True when an owner of the workspace comes in by a connector. */
export async function isOwnersWay(tx: SystemTx, tenantId: string, connectorId: string): Promise<boolean> {
  const row = await tx.get(
    `SELECT 1 AS one FROM sso_links l JOIN members m ON m.tenant_id = l.tenant_id AND m.id = l.member_id
     WHERE l.tenant_id = ? AND l.connector_id = ? AND m.role = 'org_owner' LIMIT 1`,
    [tenantId, connectorId],
  );
  return row !== null;
}

export async function insertLink(tx: SystemTx, key: LinkKey, memberId: string, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO sso_links (tenant_id, connector_id, issuer, subject, member_id, linked_at, used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [key.tenant_id, key.connector_id, key.issuer, key.subject, memberId, at, at],
  );
}

/** Forgets who somebody at the provider was. */
export async function deleteLink(tx: SystemTx, key: LinkKey): Promise<void> {
  await tx.run("DELETE FROM sso_links WHERE tenant_id = ? AND connector_id = ? AND issuer = ? AND subject = ?", [
    key.tenant_id,
    key.connector_id,
    key.issuer,
    key.subject,
  ]);
}

/** Forgets whom any provider says that an account is, but not for a removal; gives how many that were. */
export function deleteLinksOf(tx: SystemTx, accountId: string): Promise<number> {
  return tx.run(
    `DELETE FROM sso_links WHERE EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = sso_links.tenant_id
     AND m.id = sso_links.member_id AND m.account_id = ?)`,
    [accountId],
  );
}

export async function touchLink(tx: SystemTx, key: LinkKey, at: number): Promise<void> {
  await tx.run(
    "UPDATE sso_links SET used_at = ? WHERE tenant_id = ? AND connector_id = ? AND issuer = ? AND subject = ?",
    [at, key.tenant_id, key.connector_id, key.issuer, key.subject],
  );
}

/** Gives a member the role that the provider says. */
export async function updateRole(tx: SystemTx, tenantId: string, memberId: string, role: RoleName): Promise<void> {
  await tx.run("UPDATE members SET role = ? WHERE tenant_id = ? AND id = ?", [role, tenantId, memberId]);
}

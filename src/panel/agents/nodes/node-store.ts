import { rowsSource } from "../../../kernel/sql/rows-source.ts";
import type { SystemDb, SystemTx, TenantTx } from "../../data/tenant-db.ts";
import type { StoredNode } from "../live/index.ts";

/** A node as it is stored, all but its secret. */
export interface NodeRow extends StoredNode {
  hardware_fingerprint: string;
  serial: string;
  pending_serial: string | null;
  ca_id: string;
  connected_at: number | null;
  last_seen_at: number | null;
  inventory_hash: string | null;
}

const NODE = `SELECT n.tenant_id, n.id, n.no, n.hostname, n.version, n.region, n.client_id, c.name AS client_name, n.group_id,
  n.tags, n.address, n.hardware_fingerprint, n.serial, n.pending_serial, n.not_after, n.ca_id, n.registered_at,
  n.first_seen_at, n.connected_at, n.last_seen_at, n.marked_offline, n.inventory, n.inventory_hash, n.apps
  FROM nodes n LEFT JOIN tenants c ON c.tenant_id = n.client_id WHERE n.deleted_at IS NULL`;
const AFTER = `${NODE} AND n.no > ? ORDER BY n.no LIMIT ?`;
const ONE = `${NODE} AND n.id = ?`;

/** Nodes of all workspaces by number, at most `limit` of those after `afterNo`. */
export function listNodeRows(db: SystemDb, afterNo: number, limit: number): Promise<NodeRow[]> {
  return db.all(AFTER, [afterNo, limit]);
}

/** The node with this id in whichever workspace; null when there is none that is not deleted. */
export function findNodeRow(db: Pick<SystemDb, "get">, id: string): Promise<NodeRow | null> {
  return db.get(ONE, [id]);
}

/** Which certificates a node has, and whose it is. */
export type NodeStanding = Pick<NodeRow, "tenant_id" | "no" | "serial" | "pending_serial">;

/** The same of a node that is not deleted, without all that it told; null when there is none. */
export function findStanding(db: SystemDb, id: string): Promise<NodeStanding | null> {
  return db.get("SELECT tenant_id, no, serial, pending_serial FROM nodes WHERE id = ? AND deleted_at IS NULL", [id]);
}

/** Whether there was a node with this id in some workspace, and somebody deleted it. */
export async function wasDeleted(db: SystemDb, id: string): Promise<boolean> {
  return (await db.get("SELECT 1 AS one FROM nodes WHERE id = ? AND deleted_at IS NOT NULL LIMIT 1", [id])) !== null;
}

/** Holds still, until the transaction ends, whatever else would change certificates. */
export async function lockCertificates(tx: SystemTx): Promise<void> {
  await tx.run("UPDATE node_counter SET last_no = last_no WHERE one = 1");
}

/** Holds a node still until the transaction ends. */
export async function lockNode(tx: SystemTx, id: string): Promise<void> {
  await tx.run("UPDATE nodes SET tags = tags WHERE id = ? AND deleted_at IS NULL", [id]);
}

/** Makes the certificate that waited the only one; does nothing when it does not wait. */
export async function activateCertificate(tx: SystemTx, id: string, serial: string): Promise<void> {
  await tx.run(
    `UPDATE nodes SET serial = pending_serial, key_fingerprint = pending_key_fingerprint, issuer = pending_issuer,
     not_after = pending_not_after, pending_serial = NULL, pending_key_fingerprint = NULL, pending_issuer = NULL,
     pending_not_after = NULL WHERE id = ? AND pending_serial = ? AND deleted_at IS NULL`,
    [id, serial],
  );
}

/** What a heartbeat changes about a node's enrolment; null where nothing changed. */
export interface Contact {
  nodeId: string;
  /** The first heartbeat since the node registered, milliseconds. */
  connectedAt: number | null;
  /** The bundle of roots that it says it trusts. */
  caId: string | null;
}

const CONTACT = `UPDATE nodes SET connected_at = coalesce(told.connected_at, nodes.connected_at),
  first_seen_at = coalesce(nodes.first_seen_at, told.connected_at),
  last_seen_at = coalesce(told.connected_at, nodes.last_seen_at), ca_id = coalesce(told.ca_id, nodes.ca_id)`;

/** Writes down contacts, one a node, all or nothing. */
export function contactWriter(db: SystemDb): (contacts: readonly Contact[]) => Promise<void> {
  const source = rowsSource(db.engine, [
    ["id", "text"],
    ["connected_at", "integer"],
    ["ca_id", "text"],
  ]);
  const sql = `${CONTACT} FROM (${source.sql}) AS told WHERE nodes.id = told.id AND nodes.deleted_at IS NULL`;
  return async (contacts) => {
    await db.run(sql, source.bind(contacts.map(({ nodeId, connectedAt, caId }) => [nodeId, connectedAt, caId])));
  };
}

export async function updateFingerprint(tx: SystemTx, id: string, fingerprint: string): Promise<void> {
  await tx.run("UPDATE nodes SET hardware_fingerprint = ? WHERE id = ? AND deleted_at IS NULL", [fingerprint, id]);
}

/** Nodes with a living certificate: all, those that trust `bundleId`, and those on the authority's slot `issuer`. */
export async function countLiving(
  db: SystemDb,
  { now, bundleId, issuer }: { now: number; bundleId: string; issuer: string },
): Promise<{ living: number; informed: number; on_issuer: number }> {
  const row = await db.get<{ living: number; informed: number; on_issuer: number }>(
    `SELECT count(*) AS living, count(*) FILTER (WHERE ca_id = ?) AS informed,
     count(*) FILTER (WHERE issuer = ? OR pending_issuer = ?) AS on_issuer
     FROM nodes WHERE deleted_at IS NULL AND (not_after > ? OR pending_not_after > ?)`,
    [bundleId, issuer, issuer, now, now],
  );
  return row ?? { living: 0, informed: 0, on_issuer: 0 };
}

/**
 * Deletes a node of the workspace; gives its host name, or null when there is none. Who it was stays for the record, not what it told:
 * nodes that come and go would fill the disk.
 */
export async function deleteNode(tx: TenantTx, id: string, at: number): Promise<string | null> {
  const row = await tx.get<{ hostname: string }>(
    `UPDATE nodes SET deleted_at = ?, secret = '', pending_serial = NULL, pending_key_fingerprint = NULL,
     pending_issuer = NULL, pending_not_after = NULL, inventory = NULL, inventory_hash = NULL, apps = NULL
     WHERE tenant_id = :tenant AND id = ? AND deleted_at IS NULL RETURNING hostname`,
    [at, id],
  );
  await tx.run("DELETE FROM node_notices WHERE tenant_id = :tenant AND node_id = ?", [id]);
  return row?.hostname ?? null;
}

/** A statement that selects the host name of the workspace's node, deleted or not, whose id the SQL expression `id` gives. */
export const selectNodeName = (id: string): string =>
  `SELECT hostname FROM nodes WHERE tenant_id = :tenant AND id = ${id}`;

/** A statement that counts the nodes of the workspace whose id the SQL expression `tenantId` gives. */
export const countNodes = (tenantId: string): string =>
  `SELECT count(*) FROM nodes WHERE tenant_id = ${tenantId} AND deleted_at IS NULL`;

/** A statement that counts the nodes that service providers have for the workspace whose id `tenantId` gives. */
export const countServed = (tenantId: string): string =>
  `SELECT count(*) FROM nodes WHERE client_id = ${tenantId} AND deleted_at IS NULL`;

/** Nodes that are long deleted know a client that goes away no more. */
export async function releaseClient(tx: SystemTx, tenantId: string): Promise<void> {
  await tx.run("UPDATE nodes SET client_id = NULL WHERE client_id = ?", [tenantId]);
}

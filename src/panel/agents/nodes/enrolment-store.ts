import type { Seal } from "../../../kernel/seal.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import type { EnrolledNode, NodeCertificate, TokenGrant } from "../enrolment/index.ts";
import { BACKED } from "./token-store.ts";

interface EnrolmentRow {
  tenant_id: string;
  id: string;
  no: number;
  hostname: string;
  version: string;
  hardware_fingerprint: string;
  serial: string;
  key_fingerprint: string;
  issuer: string;
  not_after: number;
  pending_serial: string | null;
  pending_key_fingerprint: string | null;
  pending_issuer: string | null;
  pending_not_after: number | null;
  secret: string;
}

const ENROLLED = `SELECT tenant_id, id, no, hostname, version, hardware_fingerprint, serial, key_fingerprint, issuer, not_after,
  pending_serial, pending_key_fingerprint, pending_issuer, pending_not_after, secret
  FROM nodes WHERE id = ? AND deleted_at IS NULL`;

/** What a node's secret is sealed for. */
const secretPurpose = (tenantId: string, nodeId: string): string => `node-secret:${tenantId}:${nodeId}`;

function pendingOf(row: EnrolmentRow): NodeCertificate | null {
  const { pending_serial, pending_key_fingerprint, pending_issuer, pending_not_after } = row;
  if (pending_serial === null) return null;
  return {
    serial: pending_serial,
    keyFingerprint: pending_key_fingerprint ?? "",
    issuer: pending_issuer ?? "",
    notAfter: pending_not_after ?? 0,
  };
}

/** What a node of a workspace shares with the panel; null when there is no such node. */
export async function findSecret(db: SystemDb, seal: Seal, tenantId: string, nodeId: string): Promise<string | null> {
  const row = await db.get<{ secret: string }>(
    "SELECT secret FROM nodes WHERE tenant_id = ? AND id = ? AND deleted_at IS NULL",
    [tenantId, nodeId],
  );
  return row && seal.open(secretPurpose(tenantId, nodeId), row.secret);
}

/** A registration token, good or not; times in milliseconds. */
export interface FoundToken {
  tenant_id: string;
  id: string;
  name: string;
  expires_at: number;
  revoked_at: number | null;
  uses: number;
  max_uses: number;
}

/** A token whose workspace is not suspended, good or not, by its SHA-256 as hex. */
export function findToken(db: Pick<SystemDb, "get">, hash: string): Promise<FoundToken | null> {
  return db.get(
    `SELECT r.tenant_id, r.id, r.name, r.expires_at, r.revoked_at, r.uses, r.max_uses FROM registration_tokens r
     JOIN tenants t ON t.tenant_id = r.tenant_id AND t.status = 'active' WHERE r.hash = ?`,
    [hash],
  );
}

/** Uses a token once, if it is one and still good; those of a suspended workspace are not, nor those that nobody stands by. */
export async function takeToken(tx: SystemTx, hash: string, now: number): Promise<TokenGrant | null> {
  const row = await tx.get<{ tenant_id: string; id: string; group_id: string | null; tags: string }>(
    `UPDATE registration_tokens SET uses = uses + 1 WHERE hash = ? AND uses < max_uses AND expires_at > ? AND revoked_at IS NULL
     AND EXISTS (SELECT 1 FROM tenants t WHERE t.tenant_id = registration_tokens.tenant_id AND t.status = 'active')
     AND ${BACKED}
     RETURNING tenant_id, id, group_id, tags`,
    [hash, now],
  );
  return row && { tokenId: row.id, tenantId: row.tenant_id, groupId: row.group_id, tags: JSON.parse(row.tags) };
}

/** True when another node that is not deleted has the id but for small and capital letters. */
export async function hasLookAlike(tx: SystemTx, nodeId: string): Promise<boolean> {
  const sql = "SELECT id FROM nodes WHERE lower(id) = ? AND id <> ? AND deleted_at IS NULL LIMIT 1";
  return (await tx.get(sql, [nodeId.toLowerCase(), nodeId])) !== null;
}

/** The node with this id in whichever workspace. Throws when its secret was sealed under another key. */
export async function findEnrolled(tx: SystemTx, seal: Seal, nodeId: string): Promise<EnrolledNode | null> {
  const row = await tx.get<EnrolmentRow>(ENROLLED, [nodeId]);
  if (!row) return null;
  return {
    nodeId: row.id,
    tenantId: row.tenant_id,
    hostname: row.hostname,
    version: row.version,
    hardwareFingerprint: row.hardware_fingerprint,
    certificate: {
      serial: row.serial,
      keyFingerprint: row.key_fingerprint,
      issuer: row.issuer,
      notAfter: row.not_after,
    },
    pending: pendingOf(row),
    secret: seal.open(secretPurpose(row.tenant_id, row.id), row.secret),
  };
}

/** The node that has a certificate with this key, used or waiting. */
export async function findKeyOwner(tx: SystemTx, keyFingerprint: string): Promise<string | null> {
  const row = await tx.get<{ id: string }>(
    "SELECT id FROM nodes WHERE (key_fingerprint = ? OR pending_key_fingerprint = ?) AND deleted_at IS NULL LIMIT 1",
    [keyFingerprint, keyFingerprint],
  );
  return row?.id ?? null;
}

/** Writes a node that registered again over what it was; false when there is none. Group and tags stay. */
export async function updateEnrolled(tx: SystemTx, seal: Seal, node: EnrolledNode, address: string): Promise<boolean> {
  const { certificate } = node;
  const changed = await tx.run(
    `UPDATE nodes SET hostname = ?, version = ?, address = ?, hardware_fingerprint = ?, serial = ?, key_fingerprint = ?,
     issuer = ?, not_after = ?, secret = ?, pending_serial = NULL, pending_key_fingerprint = NULL, pending_issuer = NULL,
     pending_not_after = NULL, connected_at = NULL, marked_offline = 0
     WHERE tenant_id = ? AND id = ? AND deleted_at IS NULL`,
    [
      node.hostname,
      node.version,
      address,
      node.hardwareFingerprint,
      certificate.serial,
      certificate.keyFingerprint,
      certificate.issuer,
      certificate.notAfter,
      seal.seal(secretPurpose(node.tenantId, node.nodeId), node.secret),
      node.tenantId,
      node.nodeId,
    ],
  );
  return changed === 1;
}

/** Writes a new node; one of the workspace that was deleted begins anew under its former number. */
export async function insertEnrolled(
  tx: SystemTx,
  seal: Seal,
  node: EnrolledNode,
  grant: TokenGrant,
  { address, now }: { address: string; now: number },
): Promise<void> {
  const counter = await tx.get<{ last_no: number }>(
    "UPDATE node_counter SET last_no = last_no + 1 WHERE one = 1 RETURNING last_no",
  );
  const { certificate } = node;
  await tx.run(
    `INSERT INTO nodes (tenant_id, id, no, hostname, version, group_id, tags, address, hardware_fingerprint, serial,
     key_fingerprint, issuer, not_after, secret, registered_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, id) DO UPDATE SET hostname = excluded.hostname, version = excluded.version,
     group_id = excluded.group_id, tags = excluded.tags, address = excluded.address,
     hardware_fingerprint = excluded.hardware_fingerprint, serial = excluded.serial,
     key_fingerprint = excluded.key_fingerprint, issuer = excluded.issuer, not_after = excluded.not_after,
     secret = excluded.secret, registered_at = excluded.registered_at, region = NULL, client_id = NULL, ca_id = '',
     first_seen_at = NULL, connected_at = NULL, last_seen_at = NULL, marked_offline = 0, inventory = NULL,
     inventory_hash = NULL, apps = NULL, deleted_at = NULL`,
    [
      node.tenantId,
      node.nodeId,
      counter?.last_no ?? 0,
      node.hostname,
      node.version,
      grant.groupId,
      JSON.stringify(grant.tags),
      address,
      node.hardwareFingerprint,
      certificate.serial,
      certificate.keyFingerprint,
      certificate.issuer,
      certificate.notAfter,
      seal.seal(secretPurpose(node.tenantId, node.nodeId), node.secret),
      now,
    ],
  );
}

/**
 * Puts a renewed certificate beside the one in use. When the one that renews was waiting itself, it was used just now and
 * becomes the one in use. False when the node is gone or has neither.
 */
export async function offerCertificate(
  tx: SystemTx,
  nodeId: string,
  usedSerial: string,
  fresh: NodeCertificate,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE nodes SET
     key_fingerprint = CASE WHEN pending_serial = ? THEN pending_key_fingerprint ELSE key_fingerprint END,
     issuer = CASE WHEN pending_serial = ? THEN pending_issuer ELSE issuer END,
     not_after = CASE WHEN pending_serial = ? THEN pending_not_after ELSE not_after END,
     serial = ?, pending_serial = ?, pending_key_fingerprint = ?, pending_issuer = ?, pending_not_after = ?
     WHERE id = ? AND (serial = ? OR pending_serial = ?) AND deleted_at IS NULL`,
    [
      usedSerial,
      usedSerial,
      usedSerial,
      usedSerial,
      fresh.serial,
      fresh.keyFingerprint,
      fresh.issuer,
      fresh.notAfter,
      nodeId,
      usedSerial,
      usedSerial,
    ],
  );
  return changed === 1;
}

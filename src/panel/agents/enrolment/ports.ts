import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Authority, IssuedClient } from "../pki/index.ts";

/** What a registration token gives the node that used it. */
export interface TokenGrant {
  tokenId: string;
  tenantId: string;
  groupId: string | null;
  tags: readonly string[];
}

/** A certificate as the panel remembers it. */
export interface NodeCertificate {
  serial: string;
  /** SHA-256 of the public key as hex. */
  keyFingerprint: string;
  /** The slot of the authority that signed it. */
  issuer: string;
  /** Milliseconds. */
  notAfter: number;
}

/** What the panel keeps of a node's enrolment. */
export interface EnrolledNode {
  nodeId: string;
  tenantId: string;
  hostname: string;
  version: string;
  hardwareFingerprint: string;
  certificate: NodeCertificate;
  /** Renewed, not used yet. Until it is, the former one counts: its slot must stay trusted. */
  pending: NodeCertificate | null;
  /** Shared secret for impersonation, as the node gets it; the store seals it. */
  secret: string;
}

/** Told inside the transaction, so that audit rows and notices exist exactly when the registration does. */
export type EnrolmentEvent =
  | { kind: "registered"; node: EnrolledNode; grant: TokenGrant; address: string }
  | {
      kind: "reregistered";
      node: EnrolledNode;
      grant: TokenGrant;
      address: string;
      hardware: "same_hardware" | "other_hardware" | "other_hardware_while_alive";
    };

/** The statements of one transaction. */
export interface EnrolmentTx {
  /**
   * Uses a token once: one `UPDATE … SET uses = uses + 1 WHERE hash = ? AND uses < max_uses AND expires_at > ? RETURNING`,
   * never a read before a write. Null when no row fits. `hash` is SHA-256 as hex, `address` that of whoever brings the token.
   */
  takeToken(hash: string, now: number, address: string): Promise<TokenGrant | null>;
  /** The node with this id that is not deleted, in any workspace. */
  findNode(nodeId: string): Promise<EnrolledNode | null>;
  /** Whether another node, not deleted, in any workspace, has an id that differs in small and capital letters alone. */
  hasLookAlike(nodeId: string): Promise<boolean>;
  /** The node, not deleted, that has a certificate with this key, in use or pending, in any workspace. */
  findKeyOwner(keyFingerprint: string): Promise<string | null>;
  /**
   * Writes a new node with the grant's group and tags, or an existing one in place, group and tags untouched. Throws
   * `node_limit_reached` for a new one that the workspace's plan has no room for, `too_many_requests` for one that comes too often.
   */
  saveNode(node: EnrolledNode, grant: TokenGrant, address: string): Promise<void>;
  /**
   * Puts a renewed certificate beside the one in use: one `UPDATE … WHERE id = ? AND ? IN (serial, pending_serial) AND
   * deleted_at IS NULL`. False when no row fits. Throws `too_many_requests`.
   */
  offerCertificate(nodeId: string, usedSerial: string, fresh: NodeCertificate): Promise<boolean>;
  emit(event: EnrolmentEvent): Promise<void>;
}

/** What registration and renewal stand on. */
export interface EnrolmentDeps {
  authority: Authority;
  /** Runs all or nothing: what `run` throws is thrown after everything was taken back, the use of the token included. */
  transaction<T>(run: (tx: EnrolmentTx) => Promise<T>): Promise<T>;
  /** After a commit: connections of the node's former certificates end, on every replica. */
  revoke(nodeId: string): void;
  /** The signed plan of a workspace. */
  licenseToken(tenantId: string): Promise<string>;
  clock: Clock;
  ids: Ids;
}

/** What is kept of a certificate that was just issued. */
export const remember = ({ serial, issuer, notAfter }: IssuedClient, keyFingerprint: string): NodeCertificate => ({
  serial,
  keyFingerprint,
  issuer,
  notAfter,
});

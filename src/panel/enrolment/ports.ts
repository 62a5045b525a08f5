import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Serials } from "../../shared/agent-protocol/index.ts";
import type { Authority } from "../pki/index.ts";

/** What a registration token gives the node that used it. */
export interface TokenGrant {
  tokenId: string;
  tenantId: string;
  groupId: string | null;
  tags: readonly string[];
}

/** What the panel keeps of a node's enrolment. */
export interface EnrolledNode extends Serials {
  nodeId: string;
  tenantId: string;
  hostname: string;
  version: string;
  hardwareFingerprint: string;
  /** SHA-256 of the public key that the latest certificate carries. */
  keyFingerprint: string;
  /** The slot of the authority that signed it. */
  issuer: string;
  /** Milliseconds. */
  certificateEnd: number;
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
   * never a read before a write. Null when no row fits. `hash` is SHA-256 as hex.
   */
  takeToken(hash: string, now: number): Promise<TokenGrant | null>;
  /** The node with this id that is not deleted, in any workspace. */
  findNode(nodeId: string): Promise<EnrolledNode | null>;
  /** The node, not deleted, whose latest certificate carries this key, in any workspace. */
  findKeyOwner(keyFingerprint: string): Promise<string | null>;
  /** Writes a new node with the grant's group and tags, or an existing one in place, group and tags untouched. */
  saveNode(node: EnrolledNode, grant: TokenGrant): Promise<void>;
  /**
   * Puts a renewed certificate beside the one in use: one `UPDATE … WHERE id = ? AND ? IN (current, next) AND deleted_at
   * IS NULL`. False when no row fits.
   */
  offerCertificate(
    nodeId: string,
    usedSerial: string,
    fresh: { serial: string; keyFingerprint: string; issuer: string; certificateEnd: number },
  ): Promise<boolean>;
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

import { AppError } from "../../../kernel/http/errors.ts";
import { agentFail, type Serials, useSerial } from "../../../shared/agent-protocol/index.ts";
import type { NamedCertificate, WordReason } from "../../../shared/panel-word/index.ts";

/** What decides whether a certificate still speaks for a node. */
export interface AgentRecord extends Serials {
  nodeId: string;
  tenantId: string;
  isDeleted: boolean;
}

/** The nodes as the listener needs them: asked on every request, so it answers from memory. */
export interface AgentDirectory {
  find(nodeId: string): AgentRecord | null;
  /** Nodes of a workspace. */
  count(tenantId: string): number;
  /**
   * The node used the certificate that waited: makes it the only one, durably, before the answer goes out; does nothing
   * when it no longer waits.
   */
  activate(nodeId: string, serial: string): Promise<void>;
  /**
   * The panel's signed word that a certificate is of no use for this reason; null when the tables say otherwise. The directory
   * then follows them: it was behind.
   */
  testify(certificate: NamedCertificate, reason: WordReason): Promise<string | null>;
  /** Told whenever a node was deleted or lost a certificate, on whichever replica; returns how to stop that. */
  onRevoked(listener: (nodeId: string) => void): () => void;
}

/** Who calls: ids from the panel's row, the serial from the certificate. */
export interface AgentIdentity {
  nodeId: string;
  tenantId: string;
  serial: string;
}

/** What a verified certificate says. */
export interface PresentedCertificate {
  nodeId: string;
  serial: string;
  /** Milliseconds. */
  notAfter: number;
}

/**
 * Who a verified certificate speaks for at this moment: connections live longer than certificates, and nodes are deleted.
 * Null without a certificate. Throws `certificate_expired`, `certificate_superseded`, `node_deleted`.
 */
export async function identify(
  presented: PresentedCertificate | null,
  directory: AgentDirectory,
  now: number,
): Promise<AgentIdentity | null> {
  if (!presented) return null;
  const { nodeId, serial, notAfter } = presented;
  if (notAfter <= now) throw agentFail("certificate_expired");
  const record = directory.find(nodeId);
  if (!record || record.isDeleted) throw agentFail("node_deleted");
  const serials = useSerial(record, serial);
  if (!serials) throw agentFail("certificate_superseded");
  if (serials.current === record.current) return { nodeId, tenantId: record.tenantId, serial };
  await directory.activate(nodeId, serial);
  // Asked again: while that was written down the node may have gone, or have been given another certificate.
  const after = directory.find(nodeId);
  if (!after || after.isDeleted) throw agentFail("node_deleted");
  if (after.current !== serial) throw agentFail("certificate_superseded");
  return { nodeId, tenantId: after.tenantId, serial };
}

/** True for a refusal after which the connection has no use. */
export const endsConnection = (error: unknown): boolean => error instanceof AppError && error.code in agentFail.table;

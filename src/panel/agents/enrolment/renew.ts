import { toIso } from "../../../lib/clock.ts";
import { agentFail, type RenewInput, type RenewOutput } from "../../../shared/agent-protocol/index.ts";
import { parseCsr } from "../pki/index.ts";
import { type EnrolmentDeps, remember } from "./ports.ts";

/** Who asks, by its verified certificate. */
interface Renewer {
  nodeId: string;
  tenantId: string;
  serial: string;
}

/**
 * A fresh certificate for a node; the one in use stays valid until the fresh one is used. Throws `invalid_csr`,
 * `key_in_use`, `node_deleted`.
 */
export async function renewNode(deps: EnrolmentDeps, input: RenewInput, node: Renewer): Promise<RenewOutput> {
  const { authority, clock } = deps;
  const key = parseCsr(input.csr);
  const issued = await deps.transaction(async (tx) => {
    const keyOwner = await tx.findKeyOwner(key.fingerprint);
    if (keyOwner !== null && keyOwner !== node.nodeId) throw agentFail("key_in_use");
    const made = authority.issueClient({ tenantId: node.tenantId, nodeId: node.nodeId, publicKey: key.publicKey });
    const fresh = remember(made, key.fingerprint);
    // Between the check of the certificate and here the node may have been deleted or registered anew.
    if (!(await tx.offerCertificate(node.nodeId, node.serial, fresh))) throw agentFail("node_deleted");
    return made;
  });
  return {
    signed_certificate: issued.chain,
    ca_certificate: authority.bundle().pem,
    cert_expires_at: toIso(issued.notAfter),
    server_time: toIso(clock.now()),
  };
}

import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import {
  agentFail,
  judgeReregistration,
  type RegisterInput,
  type RegisterOutput,
} from "../../../shared/agent-protocol/index.ts";
import { parseCsr } from "../pki/index.ts";
import { type EnrolledNode, type EnrolmentDeps, type EnrolmentEvent, remember } from "./ports.ts";

const SECRET_BYTES = 32;

/**
 * Enrols a node, or enrols it again in place, for one use of a token. Throws `invalid_csr`, `token_refused`,
 * `node_elsewhere`, `node_alike`, `key_in_use`, `node_limit_reached`; then the token is as it was.
 */
export async function registerNode(
  deps: EnrolmentDeps,
  input: RegisterInput,
  { address }: { address: string },
): Promise<RegisterOutput> {
  const { authority, clock, ids } = deps;
  const key = parseCsr(input.csr);
  const now = clock.now();
  const { event, chain } = await deps.transaction(async (tx) => {
    const grant = await tx.takeToken(sha256Hex(input.registration_token), now, address);
    if (!grant) throw agentFail("token_refused");
    const known = await tx.findNode(input.instance_id);
    // Not a word of whose it is: the caller may have guessed the id.
    if (known && known.tenantId !== grant.tenantId) throw agentFail("node_elsewhere");
    if (!known && (await tx.hasLookAlike(input.instance_id))) throw agentFail("node_alike");
    const keyOwner = await tx.findKeyOwner(key.fingerprint);
    if (keyOwner !== null && keyOwner !== input.instance_id) throw agentFail("key_in_use");
    const issued = authority.issueClient({
      tenantId: grant.tenantId,
      nodeId: input.instance_id,
      publicKey: key.publicKey,
    });
    const node: EnrolledNode = {
      nodeId: input.instance_id,
      tenantId: grant.tenantId,
      hostname: input.hostname,
      version: input.version,
      hardwareFingerprint: input.hardware_fingerprint,
      certificate: remember(issued, key.fingerprint),
      pending: null,
      secret: ids.token(SECRET_BYTES),
    };
    await tx.saveNode(node, grant, address);
    const told = { node, grant, address };
    const event: EnrolmentEvent = known
      ? { kind: "reregistered", ...told, hardware: judge(known, input.hardware_fingerprint, now) }
      : { kind: "registered", ...told };
    await tx.emit(event);
    return { event, chain: issued.chain };
  });
  const { node } = event;
  if (event.kind === "reregistered") deps.revoke(node.nodeId);
  return {
    signed_certificate: chain,
    ca_certificate: authority.bundle().pem,
    license_token: await deps.licenseToken(node.tenantId),
    cert_expires_at: toIso(node.certificate.notAfter),
    cp_node_secret: node.secret,
    server_time: toIso(clock.now()),
  };
}

const judge = ({ hardwareFingerprint, certificate }: EnrolledNode, fingerprint: string, now: number) =>
  judgeReregistration({ fingerprint: hardwareFingerprint, certificateEnd: certificate.notAfter }, fingerprint, now);

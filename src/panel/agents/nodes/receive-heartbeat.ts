import { AppError } from "../../../kernel/http/errors.ts";
import { createBatcher } from "../../../lib/batcher.ts";
import { hours } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { agentFail, type HeartbeatInput, type HeartbeatOutput } from "../../../shared/agent-protocol/index.ts";
import { byAgent } from "../../event-meaning.ts";
import type { AgentIdentity } from "../agent-listener/index.ts";
import type { Authority } from "../pki/index.ts";
import type { KnownNode } from "./directory.ts";
import type { Licenses } from "./license.ts";
import type { Own } from "./needs.ts";
import { contactWriter, findStanding, updateFingerprint } from "./node-store.ts";
import { recordNotice } from "./notice-store.ts";

/** Takes a heartbeat in, and says what the node is to do and when to come again. */
export type TakeHeartbeat = (
  input: HeartbeatInput,
  node: AgentIdentity,
) => Promise<Pick<HeartbeatOutput, "commands" | "next_heartbeat_sec" | "server_time">>;

interface Deps extends Own {
  authority: () => Authority;
  licenses: Licenses;
  onConnected(nodeId: string, tenantId: string): void;
}

/** Two copies of a node would take turns in every heartbeat. */
const FINGERPRINT_EVERY_MS = hours(1);
const MAX_FINGERPRINTS = 20_000;
/** A fleet that comes for the first time shares transactions. */
const CONTACTS_AT_ONCE = 1_000;

/** Answers heartbeats: keeps what enrolment knows of a node up to date and leaves the rest to `take`. */
export function createReceiver(deps: Deps, take: TakeHeartbeat) {
  const { system, clock, directory, authority, licenses } = deps;
  const writeContact = createBatcher(contactWriter(system), CONTACTS_AT_ONCE);
  const told = createExpiringMap<true>(clock, MAX_FINGERPRINTS);

  /** Writes down what is rare: the first heartbeat, another bundle of roots, other hardware. */
  async function follow(known: KnownNode, input: HeartbeatInput): Promise<void> {
    const { nodeId, tenantId } = known;
    const caId = input.ca_id ?? known.caId;
    if (!known.isConnected || known.caId !== caId) {
      const connectedAt = known.isConnected ? null : clock.now();
      await writeContact({ nodeId, connectedAt, caId });
      // Two of its heartbeats may be under way at once.
      const isFirst = directory.find(nodeId)?.isConnected === false;
      directory.change(known, { isConnected: true, caId });
      if (isFirst) deps.onConnected(nodeId, tenantId);
    }
    const fingerprint = input.hardware_fingerprint ?? known.fingerprint;
    if (known.fingerprint !== fingerprint && !told.get(nodeId)) {
      told.set(nodeId, true, FINGERPRINT_EVERY_MS);
      await system.tx(async (tx) => {
        await updateFingerprint(tx, nodeId, fingerprint);
        await deps.bus.emit(tx, "agent.fingerprint_change", { by: byAgent(tenantId, ""), node_id: nodeId });
        await recordNotice({ ...deps, tx }, { tenant_id: tenantId, node_id: nodeId, ip: "" }, "hardware_changed");
      });
      directory.change(known, { fingerprint });
      deps.log.warn("a node runs on other hardware", { node_id: nodeId, tenant_id: tenantId });
    }
  }

  /** What to say to a node whose heartbeat failed: one that the tables do not know is none, and memory then neither. */
  async function explain(error: unknown, { nodeId, tenantId }: AgentIdentity): Promise<unknown> {
    if (error instanceof AppError) return error;
    const reading = directory.reading(nodeId);
    try {
      const standing = await findStanding(system, nodeId);
      if (standing?.tenant_id === tenantId || reading.isStale()) return error;
      deps.log.warn("a node that no table has is forgotten", { node_id: nodeId, tenant_id: tenantId, error });
      deps.forget(nodeId, tenantId);
      return agentFail("node_deleted");
    } catch {
      return error;
    } finally {
      reading.end();
    }
  }

  async function receive(input: HeartbeatInput, node: AgentIdentity): Promise<HeartbeatOutput> {
    const known = directory.find(node.nodeId);
    if (known && input.sent_at !== undefined) deps.skews.note(node.nodeId, input.sent_at);
    if (known) await follow(known, input);
    const answer = await take(input, node);
    const bundle = authority().bundle();
    const license = await licenses.of(node.tenantId);
    return {
      ...answer,
      ...(input.ca_id === bundle.id ? {} : { ca_certificate: bundle.pem }),
      ...(input.license_id === license.id ? {} : { license_token: license.token }),
    };
  }

  return (input: HeartbeatInput, node: AgentIdentity): Promise<HeartbeatOutput> =>
    receive(input, node).catch(async (error: unknown) => {
      throw await explain(error, node);
    });
}

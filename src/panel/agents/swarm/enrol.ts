import { generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createGate } from "../../../lib/gate.ts";
import { AgentCallError, type AgentEndpoint, createAgentClient } from "../../../shared/agent-client/index.ts";
import { makeCsr } from "../../../shared/agent-protocol/index.ts";
import type { SavedNode } from "./sim-node.ts";

/** Registrations at a time; each is a handshake. */
const AT_ONCE = 16;
/** One address may register only so many in a second. */
const ATTEMPTS = 100;

export interface EnrolDeps {
  clock: Clock;
  endpoint: AgentEndpoint;
  ca: string;
  version: string;
  /** May be used as often as there are nodes. */
  token: string;
}

/** Registers a node, as patiently as the panel asks. Throws `AgentCallError`. */
async function enrolOne(deps: EnrolDeps, id: string): Promise<SavedNode> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await register(deps, id);
    } catch (error) {
      const wait = error instanceof AgentCallError ? (error.refusal?.retryAfterS ?? null) : null;
      if (wait === null || attempt === ATTEMPTS) throw error;
      await deps.clock.sleep(seconds(wait));
    }
  }
}

/** Registers a node over TLS with a key of its own. */
async function register(deps: EnrolDeps, id: string): Promise<SavedNode> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const client = createAgentClient(deps.clock, deps.endpoint, { ca: deps.ca, credential: null });
  try {
    const answer = await client.register({
      registration_token: deps.token,
      instance_id: id,
      hostname: id,
      version: deps.version,
      csr: makeCsr(privateKey, id),
      hardware_fingerprint: `swarm-${id}`,
    });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    return { id, hostname: id, certificate: answer.signed_certificate, key };
  } finally {
    client.close();
  }
}

/** Enrols nodes, a few at a time; `enrolled` hears of each, `failed` of those that could not be. */
export async function enrolNodes(
  deps: EnrolDeps,
  ids: readonly string[],
  { enrolled, failed }: { enrolled(node: SavedNode): void; failed(id: string, error: unknown): void },
): Promise<void> {
  const gate = createGate(AT_ONCE);
  await Promise.all(
    ids.map((id) =>
      gate(async () => {
        try {
          enrolled(await enrolOne(deps, id));
        } catch (error) {
          failed(id, error);
        }
      }),
    ),
  );
}

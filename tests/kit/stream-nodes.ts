import { systemClock } from "../../src/lib/clock.ts";
import { createAgentClient, fetchPinnedRoot, type StreamServices } from "../../src/shared/agent-client/index.ts";
import type { HeartbeatInput } from "../../src/shared/agent-protocol/index.ts";
import { makeNodeKey } from "./agent-client.ts";
import { heartbeatBody, registerBody } from "./agent-panel.ts";
import type { TestPanel } from "./panel-app.ts";
import type { TestNodes } from "./panel-nodes.ts";

/** A node that holds a session with a panel. */
export interface HeldNode {
  close(): void;
  /** Sends a heartbeat, as it has to every now and then to keep its session. */
  beat(): Promise<unknown>;
}

interface Way {
  port: number;
  pin: string;
  token: string;
}

async function enter(
  { port, pin, token }: Way,
  id: string,
  services: StreamServices,
  more: Partial<HeartbeatInput> = {},
): Promise<HeldNode> {
  const endpoint = { host: "127.0.0.1", port };
  const ca = await fetchPinnedRoot(systemClock, endpoint, pin, 5_000);
  const { keyPem, csr } = makeNodeKey();
  const client = createAgentClient(systemClock, endpoint, { ca, credential: null }, { services });
  const facts = { instance_id: id, hostname: id, hardware_fingerprint: id };
  const reply = await client.register(registerBody(token, csr, facts));
  client.use({ ca: reply.ca_certificate, credential: { certificate: reply.signed_certificate, key: keyPem } });
  const body = heartbeatBody({ hostname: id, hardware_fingerprint: id });
  const beat = () => client.heartbeat({ ...body, ...more, status: "ok", sent_at: new Date().toISOString() });
  await beat();
  return { close: () => client.close(), beat };
}

/** A node that holds a session with a whole panel, whose agent port listens. */
export async function holdSession(
  panel: TestPanel,
  nodes: Pick<TestNodes, "addToken">,
  { tenantId, id, services }: { tenantId: string; id: string; services: StreamServices },
): Promise<HeldNode> {
  const token = await nodes.addToken(tenantId);
  return enter({ port: panel.ctx.agentPort.port(), pin: panel.nodes.authority().pin(), token }, id, services);
}

/** The same of a panel that runs, by the line that it prints. */
export function holdSessionBy(
  line: string,
  id: string,
  services: StreamServices,
  more: Partial<HeartbeatInput> = {},
): Promise<HeldNode> {
  const option = (name: string): string => new RegExp(`--${name} (\\S+)`).exec(line)?.[1] ?? "";
  const port = Number(new URL(option("panel")).port);
  return enter({ port, pin: option("pin"), token: option("token") }, id, services, more);
}

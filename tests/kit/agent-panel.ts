import { createIds } from "../../src/lib/ids.ts";
import { type AgentListener, startAgentListener } from "../../src/panel/agents/agent-listener/index.ts";
import { registerNode, renewNode } from "../../src/panel/agents/enrolment/index.ts";
import type { Authority } from "../../src/panel/agents/pki/index.ts";
import { AGENT_PATHS } from "../../src/shared/agent-protocol/index.ts";
import { connectAgent, makeNodeKey } from "./agent-client.ts";
import { createTestAuthority } from "./authority.ts";
import { createMemoryFleet } from "./enrolment.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createTestLog } from "./test-log.ts";

/** A real agent port on loopback over tables in memory. TLS reads the real clock, so the fake one starts there. */
export async function createAgentPanel(clock = createFakeClock(Date.now()), given: Authority | null = null) {
  const authority = given ?? (await createTestAuthority(clock));
  const fleet = createMemoryFleet(authority, clock);
  const { log, lines } = createTestLog();
  const seen: string[] = [];
  let wakeNode = (_nodeId: string) => {};
  const listener: AgentListener = await startAgentListener(
    {
      authority,
      directory: fleet.directory,
      clock,
      ids: createIds(clock.now),
      log,
      wakes: {
        onQueued: (listener) => {
          wakeNode = listener;
          return () => {};
        },
      },
      handlers: {
        register: (input, from) => registerNode(fleet.deps, input, from),
        renew: (input, node) => renewNode(fleet.deps, input, node),
        heartbeat: async (input, node) => {
          if (input.version === "broken") throw new Error("the store is away");
          if (input.version === "full") throw Object.assign(new Error("no room"), { code: "SQLITE_FULL" });
          seen.push(node.nodeId);
          return { commands: [], next_heartbeat_sec: 20, server_time: new Date(clock.now()).toISOString() };
        },
      },
    },
    { hostname: "127.0.0.1", port: 0, names: ["localhost", "127.0.0.1"] },
  );
  const { port } = listener;
  const ca = () => authority.bundle().pem;
  const connect = (more: { cert?: string; key?: string; localAddress?: string } = {}) =>
    connectAgent({ port, ca: ca(), ...more });

  /** Registers a node over the wire; `more` goes into its body. */
  async function enrol(more: Record<string, unknown> = {}, tenant = "ten_a") {
    const { keyPem, csr } = makeNodeKey();
    const stranger = await connect();
    const reply = await stranger.call(AGENT_PATHS.register, registerBody(fleet.addToken(tenant), csr, more));
    stranger.socket.destroy();
    if (reply?.status !== 200) throw new Error(`the node was not registered: ${JSON.stringify(reply)}`);
    return { cert: String(reply.body.signed_certificate), key: keyPem, body: reply.body };
  }

  const wake = (id: string) => wakeNode(id);
  return { clock, authority, fleet, listener, lines, seen, port, ca, connect, enrol, wake };
}

/** The smallest body that each call accepts. */
export const heartbeatBody = (more: Record<string, unknown> = {}) => ({
  status: "ok",
  version: "1.0.0",
  hostname: "h",
  sent_at: "2026-01-01T00:00:00.000Z",
  uptime_seconds: 1,
  metrics: { cpu_percent: 1, memory_percent: 2, disk_percent: 3, net_in: 4, net_out: null },
  ca_id: "x",
  hardware_fingerprint: "f",
  ...more,
});

export const registerBody = (token: string, csr: string, more: Record<string, unknown> = {}) => ({
  registration_token: token,
  instance_id: "node-1",
  hostname: "h",
  version: "1.0.0",
  csr,
  hardware_fingerprint: "f",
  ...more,
});

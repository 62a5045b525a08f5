import { createIds } from "../../src/lib/ids.ts";
import { type AgentListener, startAgentListener } from "../../src/panel/agent-listener/index.ts";
import { registerNode, renewNode } from "../../src/panel/enrolment/index.ts";
import type { Authority } from "../../src/panel/pki/index.ts";
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
  return { clock, authority, fleet, listener, lines, seen, port: listener.port, wake: (id: string) => wakeNode(id) };
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

import { createIds } from "../../src/lib/ids.ts";
import {
  type AgentHandlers,
  type AgentListener,
  startAgentListener,
} from "../../src/panel/agents/agent-listener/index.ts";
import { registerNode, renewNode } from "../../src/panel/agents/enrolment/index.ts";
import type { AgentCommand, HeartbeatInput } from "../../src/shared/agent-protocol/index.ts";
import { LICENSE_ISSUER, signLicense } from "../../src/shared/license/index.ts";
import type { NodePlan } from "../../src/shared/plans/index.ts";
import { createTestAuthority } from "./authority.ts";
import { createMemoryFleet } from "./enrolment.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createTestLog } from "./test-log.ts";

/** What a node is linked to in tests: the panel's real port and enrolment over tables in memory. */
export interface LinkPanel {
  clock: FakeClock;
  authority: Awaited<ReturnType<typeof createTestAuthority>>;
  fleet: ReturnType<typeof createMemoryFleet>;
  /** Heartbeats so far, oldest first. */
  heard: HeartbeatInput[];
  /** Ride on every answer while they are here. */
  commands: AgentCommand[];
  plan: NodePlan;
  /** Puts a fault where the answer would be; null answers again. */
  fault: (() => Error) | null;
  /** Called while a heartbeat waits for its answer. */
  onHeard: (() => void) | null;
  /** Where it says that people find it. */
  pageUrl: string;
  /** Calls a node over its stream. */
  wake(nodeId: string): void;
  port(): number;
  /** The line that a person copies. */
  line(tenantId?: string): string;
  /** Closes the port, as when the panel is away. */
  away(): Promise<void>;
  /** Opens the same port again. */
  back(): Promise<void>;
}

const NAMES = ["localhost", "127.0.0.1"];

/** TLS reads the real clock, so the fake one starts there. */
export async function createLinkPanel(): Promise<LinkPanel> {
  const clock = createFakeClock(Date.now());
  const authority = await createTestAuthority(clock);
  const fleet = createMemoryFleet(authority, clock);
  const ids = createIds(clock.now);
  const { log } = createTestLog();
  let listener: AgentListener | null = null;
  let port = 0;

  const license = (tenantId: string) => {
    const iat = Math.floor(clock.now() / 1000);
    const jti = `${panel.plan}-${tenantId}`;
    const claims = { iss: LICENSE_ISSUER, sub: tenantId, plan: panel.plan, iat, exp: iat + 30 * 86_400, jti } as const;
    return { id: jti, token: signLicense(claims, authority.issueSigner()) };
  };
  const deps = { ...fleet.deps, licenseToken: async (tenantId: string) => license(tenantId).token };
  const handlers: AgentHandlers = {
    register: async (input, from) => ({
      ...(await registerNode(deps, input, from)),
      panel_url: panel.pageUrl,
    }),
    renew: (input, node) => renewNode(deps, input, node),
    async heartbeat(input, { tenantId }) {
      if (panel.fault) throw panel.fault();
      panel.heard.push(input);
      panel.onHeard?.();
      const { id, token } = license(tenantId);
      const bundle = authority.bundle();
      return {
        commands: [...panel.commands],
        panel_url: panel.pageUrl,
        next_heartbeat_sec: 20,
        server_time: new Date(clock.now()).toISOString(),
        ...(input.ca_id === bundle.id ? {} : { ca_certificate: bundle.pem }),
        ...(input.license_id === id ? {} : { license_token: token }),
      };
    },
  };
  // Nodes of this panel hear of commands when they next call.
  let callNode = (_nodeId: string) => {};
  const wakes = {
    onQueued: (call: (nodeId: string) => void) => {
      callNode = call;
      return () => {};
    },
  };
  const panel: LinkPanel = {
    clock,
    authority,
    fleet,
    heard: [],
    commands: [],
    plan: "pro",
    fault: null,
    onHeard: null,
    pageUrl: "https://panel.example",
    wake: (nodeId) => callNode(nodeId),
    port: () => port,
    line: (tenantId = "ten_a") =>
      `orrery-node connect --panel https://127.0.0.1:${port} --token ${fleet.addToken(tenantId)} --pin ${authority.pin()}`,
    async away() {
      await listener?.stop();
      listener = null;
    },
    async back() {
      const world = { authority, directory: fleet.directory, clock, ids, log, handlers, wakes };
      listener = await startAgentListener(world, { hostname: "127.0.0.1", port, names: NAMES });
      port = listener.port;
    },
  };
  await panel.back();
  return panel;
}

import { sha256Hex } from "../../src/lib/digest.ts";
import type { Nodes } from "../../src/panel/agents/nodes/index.ts";
import type { HeartbeatInput, RegisterOutput } from "../../src/shared/agent-protocol/index.ts";
import { makeNodeKey } from "./agent-client.ts";
import { heartbeatBody, registerBody } from "./agent-panel.ts";
import type { TestPanel } from "./panel-app.ts";

const FROM = { address: "192.0.2.1" };

/** What nodes do, straight to the panel's handlers. */
export interface TestNodes {
  /** A registration token of a workspace. */
  addToken(tenantId: string, options?: { maxUses?: number; lifetimeMs?: number; tags?: string[] }): Promise<string>;
  register(token: string, nodeId: string, more?: Record<string, unknown>, csr?: string): Promise<RegisterOutput>;
  /** Makes a token and uses it. */
  enrol(tenantId: string, nodeId: string, more?: Record<string, unknown>): Promise<RegisterOutput>;
  renew(nodeId: string, serial: string, csr?: string): ReturnType<ReturnType<Nodes["handlers"]>["renew"]>;
  heartbeat(nodeId: string, more?: Record<string, unknown>): ReturnType<ReturnType<Nodes["handlers"]>["heartbeat"]>;
}

/** Tokens so far, of all that are made here: some tests have two panels on the same tables. */
let count = 0;

/** Nodes of a test panel. */
export function createTestNodes(
  panel: Pick<TestPanel, "nodes" | "system" | "clock"> & { live: Pick<TestPanel["live"], "heartbeat"> },
): TestNodes {
  const handlers = panel.nodes.handlers(panel.live.heartbeat);
  const addToken: TestNodes["addToken"] = async (tenantId, options = {}) => {
    const { maxUses = 1, lifetimeMs = 3_600_000, tags = [] } = options;
    const text = `token-${tenantId}-${++count}`;
    await panel.system.run(
      `INSERT INTO registration_tokens (tenant_id, id, hash, name, tags, max_uses, created_by, created_at, expires_at)
       VALUES (?, ?, ?, 'test', ?, ?,
         coalesce((SELECT min(id) FROM members WHERE tenant_id = ? AND role = 'org_owner'), 'mem'), ?, ?)`,
      [
        tenantId,
        `tok_${count}`,
        sha256Hex(text),
        JSON.stringify(tags),
        maxUses,
        tenantId,
        panel.clock.now(),
        panel.clock.now() + lifetimeMs,
      ],
    );
    return text;
  };
  const register: TestNodes["register"] = (token, nodeId, more = {}, csr = makeNodeKey().csr) =>
    handlers.register(registerBody(token, csr, { instance_id: nodeId, ...more }), FROM);
  const identityOf = (nodeId: string) => {
    const known = panel.nodes.directory.find(nodeId);
    return { nodeId, tenantId: known?.tenantId ?? "", serial: known?.current ?? "" };
  };
  return {
    addToken,
    register,
    enrol: async (tenantId, nodeId, more) => register(await addToken(tenantId), nodeId, more),
    renew: (nodeId, serial, csr = makeNodeKey().csr) => handlers.renew({ csr }, { ...identityOf(nodeId), serial }),
    heartbeat: (nodeId, more) => handlers.heartbeat(heartbeatBody(more) as HeartbeatInput, identityOf(nodeId)),
  };
}

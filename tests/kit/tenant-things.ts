import { days } from "../../src/lib/duration.ts";
import type { Person, TestPanel } from "./panel-app.ts";
import type { TestNodes } from "./panel-nodes.ts";

/** The ids of a workspace's things, by the word before their place in a path. */
export type ThingIds = Record<
  "clusters" | "commands" | "groups" | "instances" | "members" | "metrics" | "notices" | "tokens" | "workspaces",
  string
>;

/** Where people come back to when they sign in to such a workspace's node. */
export const SIGN_IN_URL = "https://node.example.org/callback";

/** Gives a person's workspace one thing of every kind, all with `mark` in them and their ids, and a row in every table. */
export async function makeThings(
  panel: TestPanel,
  nodes: TestNodes,
  { token, tenant_id, member_id }: Person,
  mark: string,
): Promise<ThingIds> {
  const { system } = panel;
  const node = `${mark}-node`;
  const group = `grp_${mark}`;
  const add = (table: string, row: Record<string, string | number>) =>
    system.run(
      `INSERT INTO ${table} (tenant_id, ${Object.keys(row).join(", ")}) VALUES (?${", ?".repeat(Object.keys(row).length)})`,
      [tenant_id, ...Object.values(row)],
    );
  await add("node_groups", { id: group, name: `${mark} group`, created_at: 0 });
  const spent = await nodes.addToken(tenant_id);
  await nodes.register(spent, node, { hostname: `${mark}-host` });
  // A second server with the same token is turned away, and remembered.
  await nodes.register(spent, `${mark}-late`, { hostname: `${mark}-late-host` }).catch(() => null);
  const metrics = { cpu_percent: 99, memory_percent: 2, disk_percent: 3, net_in: 4 };
  const inventory = {
    sign_in_urls: [SIGN_IN_URL],
    region: `${mark}-region`,
    cluster: { id: `${mark}-cluster`, name: `${mark} cluster`, role: "leader", peers: [] },
  };
  await nodes.heartbeat(node, { hostname: `${mark}-host`, metrics, inventory });
  const ends = { created_at: 0, expires_at: panel.clock.now() + days(1) };
  const waiting = { id: `tok_${mark}`, hash: `hash of ${mark}`, name: `${mark} token`, group_id: group, max_uses: 1 };
  await add("registration_tokens", { ...waiting, created_by: member_id, ...ends });
  const notice = { id: `ntc_${mark}`, node_id: node, kind: "moved", address: `${mark} address`, first_at: 0, at: 0 };
  await add("node_notices", notice);
  const known = { rule: "cpu_high", region: `${mark}-region`, node_id: node, from_at: 0, to_at: 1, member_id, at: 0 };
  await add("alert_acknowledgements", { id: `ack_${mark}`, ...known });
  const code = { hash: `code of ${mark}`, node_id: node, member_id, redirect_uri: mark, code_challenge: mark };
  await add("oauth_codes", { ...code, ...ends });
  await panel.call("PUT /api/fleet/views", { token, body: { views: [{ name: `${mark} view`, query: `q=${mark}` }] } });
  await system.run(
    `INSERT INTO tenants (tenant_id, name, plan, status, mode, parent_tenant_id, created_at)
     VALUES (?, ?, 'free', 'active', 'business', ?, 0)`,
    [`ten_${mark}_client`, `${mark} client`, tenant_id],
  );
  const command = { instance_ids: [node], command: "run_command", params: { command: mark } };
  const sent = await panel.call("POST /api/fleet/commands", { token, body: command });
  return {
    clusters: `${mark}-cluster`,
    commands: sent.body.commands[0].id,
    groups: group,
    instances: node,
    members: member_id,
    metrics: node,
    notices: notice.id,
    tokens: waiting.id,
    workspaces: tenant_id,
  };
}

import { days } from "../../src/lib/duration.ts";
import type { Person, TestPanel } from "./panel-app.ts";
import type { TestNodes } from "./panel-nodes.ts";

/** The ids of a workspace's things, by the word before their place in a path. */
export type ThingIds = Record<
  | "bulk-jobs"
  | "chat-channels"
  | "clusters"
  | "commands"
  | "connectors"
  | "credentials"
  | "domains"
  | "groups"
  | "incidents"
  | "instances"
  | "invitations"
  | "members"
  | "metrics"
  | "notices"
  | "notifications"
  | "rollouts"
  | "sessions"
  | "terminal-recordings"
  | "tokens"
  | "workspaces",
  string
>;

/** Where people come back to when they sign in to such a workspace's node. */
export const SIGN_IN_URL = "https://node.example.org/callback";

const ROLLOUT_PLAN = {
  ...{ stages: [100], soak_sec: 0, auto_promote: false, action: null, seed: "" },
  gates: { max_error_rate: 1, max_cpu_p95: 80, max_failed_boots: 0, max_heartbeat_loss: 0 },
  filter: { group_ids: [], regions: [], tags: [], instance_ids: [] },
};
const ROLLOUT_PROGRESS = { reason: null, soaked_ms: null, gate_values: [] };

/** Gives a person's workspace one thing of every kind, all with `mark` in them and their ids, and a row in every table. */
export async function makeThings(
  panel: TestPanel,
  nodes: TestNodes,
  { token, tenant_id, member_id, account_id }: Person,
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
  const removed = { account_id: `acc_${mark}_gone` };
  await add("removed_members", removed);
  await add("removed_marks", { ...removed, kind: "address", value: `${mark}-gone@example.org` });
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
  const invitation = { id: `inv_${mark}`, email: `${mark}@invited.example`, role: "org_viewer", invited_by: member_id };
  await add("factor_resets", {
    member_id,
    account_id,
    asked_by: member_id,
    asked_at: 0,
    effective_at: ends.expires_at,
  });
  await add("invitations", { ...invitation, ...ends });
  const refused = { state: "refused", reason: `550 ${mark}`, is_unreachable: 1, queued_at: 0, at: 0 };
  await add("mail_outcomes", { ...refused, address: invitation.email, letter_id: `mail_${mark}` });
  const letter = { kind: "none", address: invitation.email, facts: "{}", tries: 0 };
  await add("mail_queue", { ...letter, id: `mail_${mark}`, due_at: days(100_000), expires_at: days(100_000) });
  const connector = {
    id: `sso_${mark}`,
    name: `${mark} sign-in`,
    issuer: "https://login.example.org",
    oidc_client: mark,
  };
  await add("sso_connectors", { ...connector, created_at: 0, updated_at: 0 });
  const link = { connector_id: connector.id, issuer: connector.issuer, subject: mark, linked_at: 0, used_at: 0 };
  await add("sso_links", { ...link, member_id });
  await add("sso_subjects", { issuer: link.issuer, subject: mark, member_id, seen_at: 0 });
  await add("sso_assertions", { connector_id: connector.id, hash: mark, expires_at: 1 });
  const recording = { node_id: node, app: mark, member_id, who: mark, started_at: panel.clock.now() };
  const sealed_key = panel.ctx.seal.seal(`terminal_recording.rec_${mark}`, Buffer.alloc(32).toString("base64"));
  await add("terminal_recordings", { id: `rec_${mark}`, ...recording, sealed_key });
  const channel_id = `cht_${mark}`;
  const sealed_url = panel.ctx.seal.seal(`chat_channel.${channel_id}`, `https://${mark}.example/hook`);
  await add("chat_channels", { id: channel_id, name: mark, service: "slack", sealed_url, kinds: "[]", created_at: 0 });
  const words = { severity: "info", title: mark, body: "", link: "/", queued_at: 0 };
  await add("chat_waiting", { channel_id, id: `cwt_${mark}`, ...words });
  const permit_id = `spm_${mark}`;
  await add("staff_permits", { id: permit_id, note: mark, given_by: member_id, given_at: 0, ends_at: 0, ended_at: 1 });
  await add("staff_visits", { permit_id, member_id: "mem_gone", name: mark, entered_at: 0 });
  const told = { hint: "0000", created_at: 0, expires_at: days(100_000) };
  await add("scim_tokens", { ...told, id: `dir_${mark}`, name: mark, token_hash: mark });
  const said = { user_name: mark, user_key: mark, email: mark, display_name: mark };
  await add("scim_users", { ...said, member_id, created_at: 0, updated_at: 0 });
  const group_id = `dgr_${mark}`;
  await add("scim_groups", {
    ...{ id: group_id, display_name: mark, display_key: mark },
    ...{ created_at: 0, updated_at: 0 },
  });
  await add("scim_group_members", { group_id, member_id });
  await add("sso_domains", { id: `dom_${mark}`, host: `${mark}.example`, token: mark, created_at: 0 });
  const notification = {
    id: `ntf_${mark}`,
    kind: "incident.opened",
    severity: "info",
    title: `${mark} notice`,
    body: "",
  };
  await add("notifications", {
    ...{ ...notification, link: "/alerts", permission: "", member_id: "", created_at: panel.clock.now() },
  });
  await add("notification_reads", { notification_id: notification.id, member_id: "mem_gone", read_at: 0 });
  await add("notification_members", { member_id: "mem_gone" });
  await add("notification_waiting", { member_id, notification_id: notification.id, due_at: ends.expires_at });
  const cause = { rule: "cpu_high", region: `${mark}-region`, nodes_first: 1, nodes_most: 1, since: 0, opened_at: 0 };
  await add("fleet_incidents", { id: `inc_${mark}`, ...cause });
  await add("fleet_incident_nodes", { incident_id: `inc_${mark}`, node_id: node, since: 0 });
  const entry = { id: `ent_${mark}`, at: 0, kind: "noted", text: `${mark} note`, member_id };
  await add("fleet_incident_entries", { incident_id: `inc_${mark}`, ...entry });
  const job = { kind: "remove", target: "{}", params: "{}", plan: "{}", status: "running", total: 1 };
  await add("bulk_jobs", {
    ...{ id: `bulk_${mark}`, ...job, created_by: member_id, created_at: 0, updated_at: 0, ends_at: 0, finished_at: 1 },
    ...{ asked_digest: mark, idempotency_key: mark },
  });
  const item = { job_id: `bulk_${mark}`, no: 0, node_id: node, hostname: `${mark}-host`, status: "queued" };
  await add("bulk_items", item);
  await panel.call("PUT /api/fleet/views", { token, body: { views: [{ name: `${mark} view`, query: `q=${mark}` }] } });
  await system.run(
    `INSERT INTO tenants (tenant_id, name, plan, status, mode, parent_tenant_id, created_at)
     VALUES (?, ?, 'free', 'active', 'business', ?, 0)`,
    [`ten_${mark}_client`, `${mark} client`, tenant_id],
  );
  const command = { instance_ids: [node], command: "run_command", params: { command: mark } };
  const sent = await panel.call("POST /api/fleet/commands", { token, body: command });
  const [{ id: command_id }] = sent.body.commands;
  await add("command_outputs", { command_id, bytes: mark.length, output: mark });
  const rollout_id = `rol_${mark}`;
  await add("rollouts", {
    ...{ id: rollout_id, name: `${mark} rollout`, kind: "os_version", target_version: "9.9.9", is_legacy: 0 },
    ...{ plan: JSON.stringify(ROLLOUT_PLAN), progress: JSON.stringify(ROLLOUT_PROGRESS), state: "completed", stage: 0 },
    ...{ is_started: 1, is_open: 0, version: 0, nodes: 1, created_by: member_id, created_at: 0 },
  });
  await add("rollout_nodes", {
    ...{ rollout_id, rank: 0, node_id: node, stage: 0, hostname: `${mark}-host`, from_version: "1.0.0", has_cpu: 1 },
    ...{ state: "done", since_ms: 0, is_excused: 0, is_away: 0 },
  });
  await add("rollout_counts", { rollout_id, stage: 0, state: "done", count: 1 });
  await add("rollout_stage_starts", { rollout_id, stage: 0, at: 0 });
  await add("rollout_timeline", {
    ...{ rollout_id, no: 1, at: 0, kind: "created", stage: 0, text: `${mark} rollout` },
    ...{ from_state: "running", to_state: "running" },
  });
  const key = { id: `key_${mark}`, name: `${mark} key`, credential_id: mark, public_key: mark };
  await system.run(
    `INSERT INTO security_keys (account_id, id, name, credential_id, public_key, counter, transports, rp_id, created_at)
     VALUES (?, ?, ?, ?, ?, 0, '[]', 'localhost', 0)`,
    [account_id, ...Object.values(key)],
  );
  return {
    clusters: `${mark}-cluster`,
    commands: command_id,
    connectors: connector.id,
    credentials: key.id,
    domains: `dom_${mark}`,
    groups: group,
    "bulk-jobs": `bulk_${mark}`,
    "chat-channels": channel_id,
    "terminal-recordings": `rec_${mark}`,
    incidents: `inc_${mark}`,
    instances: node,
    invitations: invitation.id,
    members: member_id,
    metrics: node,
    notices: notice.id,
    notifications: notification.id,
    rollouts: rollout_id,
    sessions: (await panel.call("GET /api/auth/sessions", { token })).body[0].id,
    tokens: waiting.id,
    workspaces: tenant_id,
  };
}

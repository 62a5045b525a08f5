import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFakeOutgoing, type FakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";

const HOOK = "https://hooks.slack.example/services/T0/B0/veryverysecret";
const TOKEN = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcd";
const MAIL = {
  host: "mail.lan",
  port: 587,
  security: "starttls",
  user: "o",
  from: "o@lan.example",
  to: ["a@x.example"],
};

let node: TestNode;
let world: FakeOutgoing;
beforeEach(() => {
  world = createFakeOutgoing();
  node = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const create = async (body: Record<string, unknown>) => call("POST /api/alerting/channels", { name: "c", ...body });

test.each([
  ["email", MAIL, "p4ssw0rd-secret"],
  ["telegram", { chat_id: "-100123" }, TOKEN],
  ["slack", {}, HOOK],
  ["discord", {}, "https://discord.example/api/webhooks/1/verysecret"],
  ["webhook", { url: "https://x.example/in" }, "signing-secret"],
])("a channel of type %s is made, listed and deleted; its secret never comes back", async (type, config, secret) => {
  const made = await create({ type, config, secret });
  expect(made.status).toBe(200);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^chn_/),
    name: "c",
    type,
    enabled: true,
    config,
    has_secret: true,
    state: "unused",
    failing_since: null,
    last_delivery_at: null,
    last_error: null,
    queued: 0,
    created_at: "2026-01-01T00:00:00.000Z",
  });
  expect((await call("GET /api/alerting/channels")).body).toEqual([made.body]);
  await node.ctx.bus.idle();
  const stored = node.ctx.db.raw.query("SELECT * FROM alert_channels").all();
  expect(JSON.stringify([made.body, stored, node.events])).not.toContain(secret);
  expect((await call(`DELETE /api/alerting/channels/${made.body.id}`)).status).toBe(200);
  expect((await call(`GET /api/alerting/channels/${made.body.id}`)).body.code).toBe("channel_not_found");
});

test("who is no admin sees where a webhook channel leads, but not the part that may be a password", async () => {
  const { body } = await create({ type: "webhook", config: { url: "https://x.example/in/hunter2?key=1" } });
  const shown = { ...body, config: { url: "https://x.example/…" } };
  for (const as of ["viewer", "member"] as const) {
    expect((await node.call("GET /api/alerting/channels", { as })).body).toEqual([shown]);
    expect((await node.call(`GET /api/alerting/channels/${body.id}`, { as })).body).toEqual(shown);
  }
  expect((await call(`GET /api/alerting/channels/${body.id}`)).body.config.url).toContain("hunter2");
});

test.each([
  [{ type: "email", config: { ...MAIL, port: 0 } }, "config.port"],
  [{ type: "email", config: { ...MAIL, to: [] } }, "config.to"],
  [{ type: "email", config: { ...MAIL, to: ["no address"] } }, "config.to.0"],
  [{ type: "email", config: { ...MAIL, from: "a@b\r\nBcc: c@d" } }, "config.from"],
  [{ type: "email", config: { ...MAIL, host: "mail lan" } }, "config.host"],
  [{ type: "email", config: { ...MAIL, security: "maybe" } }, "config.security"],
  [{ type: "email", config: { ...MAIL, password: "x" } }, "config.password"],
  [{ type: "telegram", config: { chat_id: "1&text=x" }, secret: TOKEN }, "config.chat_id"],
  [{ type: "telegram", config: { chat_id: "1" }, secret: "1/../x" }, "secret"],
  [{ type: "telegram", config: {}, secret: TOKEN }, "config.chat_id"],
  [{ type: "slack", secret: "hooks.slack.com/x" }, "secret"],
  [{ type: "slack", secret: "http://169.254.169.254/x" }, "secret"],
  [{ type: "webhook", config: { url: "http://169.254.169.254/x" } }, "config"],
  [{ type: "webhook", config: { url: "ftp://x.example/" } }, "config.url"],
  [{ type: "pager" }, "type"],
  [{ type: "slack", secret: HOOK, name: " " }, "name"],
])("%j is malformed at %s", async (body, field) => {
  const answer = await create(body);
  expect([answer.status, answer.body.code, answer.body.params.field]).toEqual([400, "invalid_request", field]);
  expect((await call("GET /api/alerting/channels")).body).toEqual([]);
});

test.each(["telegram", "slack", "discord"])("%s needs its secret", async (type) => {
  const answer = await create({ type, config: type === "telegram" ? { chat_id: "1" } : {} });
  expect([answer.status, answer.body.code]).toEqual([400, "channel_secret_missing"]);
});

describe("a change", () => {
  const change = (id: string, body: unknown) => call(`PUT /api/alerting/channels/${id}`, body);

  test("keeps what it does not name, the secret too", async () => {
    const { id } = (await create({ type: "slack", secret: HOOK })).body;
    expect((await change(id, { name: "ops" })).body).toMatchObject({ name: "ops", has_secret: true, enabled: true });
    await call(`POST /api/alerting/channels/${id}/test`);
    expect(world.requests[0]?.url).toBe(HOOK);
    expect((await change(id, { secret: null })).body.code).toBe("channel_secret_missing");
    expect((await change(id, { enabled: false })).body.state).toBe("off");
  });

  test("does not let a stored password travel to another server", async () => {
    const { id } = (await create({ type: "email", config: MAIL, secret: "pw" })).body;
    for (const part of [{ host: "evil.example" }, { security: "none" }, { port: 25 }, { verify_certificate: false }]) {
      expect((await change(id, { config: { ...MAIL, ...part } })).body.code).toBe("channel_secret_again");
    }
    expect((await change(id, { config: { ...MAIL, to: ["b@x.example"] } })).status).toBe(200);
    expect((await change(id, { config: { ...MAIL, host: "new.lan" }, secret: "pw2" })).body.config.host).toBe(
      "new.lan",
    );
    expect((await change(id, { config: { ...MAIL, host: "x.lan" }, secret: null })).body.has_secret).toBe(false);
  });

  test("does not take the name of another one", async () => {
    await create({ type: "slack", secret: HOOK, name: "ops" });
    const { id } = (await create({ type: "slack", secret: HOOK, name: "two" })).body;
    expect((await change(id, { name: " OPS " })).body.code).toBe("channel_name_taken");
    expect((await change(id, { name: "Two" })).status).toBe(200);
    expect((await create({ type: "slack", secret: HOOK, name: "Ops" })).body.code).toBe("channel_name_taken");
  });
});

test("there can be fifty", async () => {
  for (let i = 0; i < 50; i++) await create({ type: "slack", secret: HOOK, name: `c${i}` });
  expect((await create({ type: "slack", secret: HOOK, name: "more" })).body.code).toBe("channel_limit");
});

test("changes are on the audit log, by whom and without secrets", async () => {
  const { id } = (await create({ type: "telegram", config: { chat_id: "1" }, secret: TOKEN })).body;
  await call(`PUT /api/alerting/channels/${id}`, { enabled: false });
  await call("PUT /api/alerting/templates", { kind: "fired", channel_type: "slack", subject: "x" });
  await call(`DELETE /api/alerting/channels/${id}`);
  await node.ctx.bus.idle();
  const { body } = await call("GET /api/audit/logs");
  const actions = body.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(["channel.deleted", "channel.template_changed", "channel.changed", "channel.created"]);
  expect(body[3].details).toMatchObject({ user_id: "usr_admin", type: "telegram", name: "c" });
  expect(JSON.stringify(body)).not.toContain(TOKEN);
});

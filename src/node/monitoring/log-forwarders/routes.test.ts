import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startHttpReceiver } from "../../../../tests/kit/log-receivers.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";

let node: TestNode;
const ends: (() => unknown)[] = [];
beforeEach(() => {
  node = createTestNode({ session_rate: "1000000" });
});
afterEach(async () => {
  await node.ctx.logForwarders.stop();
  for (const end of ends.splice(0)) await end();
  node.close();
});

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const SYSLOG = { name: "box", kind: "syslog", config: { host: "10.0.0.12", port: 514, transport: "udp" } };
const HTTP = { name: "hook", kind: "http", config: { url: "https://logs.example/in" }, secret: "sup3r-secret" };
const create = (body: object) => call("POST /api/log-forwarders", body);

test.each([
  [SYSLOG, null],
  [
    {
      name: "box",
      kind: "loki",
      config: { url: "http://10.0.0.12:3100", user: "me", tenant: "a" },
      secret: "pa55word",
    },
    "pa55word",
  ],
  [HTTP, HTTP.secret],
])("a forwarder is made, listed and deleted; its secret never comes back", async (input, secret) => {
  const made = await create(input);
  expect(made.status).toBe(200);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^lfw_/),
    name: input.name,
    kind: input.kind,
    enabled: true,
    config: input.config,
    has_secret: secret !== null,
    sources: "all",
    min_level: null,
    kept_out: [],
    state: "idle",
    sent: 0,
    waiting: 0,
    waiting_bytes: 0,
    waiting_limit_bytes: 134_217_728,
    dropped: 0,
    dropped_why: null,
    dropped_at: null,
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
    last_sent_at: null,
    created_at: "2026-01-01T00:00:00.000Z",
  });
  expect((await call("GET /api/log-forwarders")).body).toEqual([made.body]);
  await node.ctx.bus.idle();
  const stored = node.ctx.db.raw.query("SELECT * FROM log_forwarders").all();
  if (secret !== null) expect(JSON.stringify([made.body, stored, node.events])).not.toContain(secret);
  expect((await call(`DELETE /api/log-forwarders/${made.body.id}`)).body.message).toBe("The log forwarder is deleted.");
  expect((await call("GET /api/log-forwarders")).body).toEqual([]);
  expect(node.events.map(({ name }) => name).filter((name) => name.startsWith("log_"))).toEqual([
    "log_forwarder.created",
    "log_forwarder.deleted",
  ]);
});

test("only admins see them: what is forwarded is nobody else's to know", async () => {
  for (const as of ["viewer", "member"] as const) {
    expect((await node.call("GET /api/log-forwarders", { as })).status).toBe(403);
    expect((await node.call("POST /api/log-forwarders", { as, body: SYSLOG })).status).toBe(403);
  }
});

test.each([
  [{ ...SYSLOG, config: { ...SYSLOG.config, port: 0 } }, "config.port"],
  [{ ...SYSLOG, config: { ...SYSLOG.config, transport: "smoke" } }, "config.transport"],
  [{ ...SYSLOG, config: { ...SYSLOG.config, host: "a b" } }, "config.host"],
  [{ ...SYSLOG, config: { ...SYSLOG.config, host: "169.254.169.254" } }, "config.host"],
  [{ ...SYSLOG, config: { ...SYSLOG.config, host: "[::1]:514" } }, "config.host"],
  [{ ...SYSLOG, config: { ...SYSLOG.config, url: "http://x.example" } }, "config.url"],
  [{ ...SYSLOG, config: { ...SYSLOG.config, ca: "no certificate" } }, "config.ca"],
  [{ ...SYSLOG, secret: "x" }, "secret"],
  [{ ...HTTP, config: { url: "ftp://x.example" } }, "config.url"],
  [{ ...HTTP, config: { url: "http://me:pw@x.example" } }, "config.url"],
  [{ ...HTTP, config: { url: "http://[fe80::1]/" } }, "config.url"],
  [{ ...HTTP, config: { url: "http://100.100.100.200/latest" } }, "config.url"],
  [{ ...HTTP, config: { ...HTTP.config, header: "X Y" } }, "config.header"],
  [{ ...HTTP, config: { ...HTTP.config, header: "Host" } }, "config.header"],
  [{ ...HTTP, secret: "a\r\nX-Other: b" }, "secret"],
  [{ name: "l", kind: "loki", config: { url: "http://x.example", user: "me" } }, "secret"],
  [{ ...SYSLOG, kind: "pigeon" }, "kind"],
  [{ ...SYSLOG, name: "a\u202eb" }, "name"],
  [{ ...SYSLOG, min_level: "loud" }, "min_level"],
])("what does not fit is refused with its field: %j", async (input, field) => {
  const { status, body } = await create(input);
  expect([status, body.params?.field]).toEqual([400, field]);
});

test("names are told apart, and there are ten at most", async () => {
  for (let index = 0; index < 10; index++) expect((await create({ ...SYSLOG, name: `box ${index}` })).status).toBe(200);
  expect((await create({ ...SYSLOG, name: "BOX 1" })).body.code).toBe("log_forwarder_limit");
  const [first] = (await call("GET /api/log-forwarders")).body;
  const renamed = await call(`PUT /api/log-forwarders/${first.id}`, { name: "box 5" });
  expect([renamed.status, renamed.body.code]).toEqual([409, "log_forwarder_name_taken"]);
  expect((await call("PUT /api/log-forwarders/lfw_none", { name: "x" })).body.code).toBe("log_forwarder_not_found");
});

test("a stored secret is not sent to another place than the one it was entered for", async () => {
  const { body } = await create(HTTP);
  const change = (change: object) => call(`PUT /api/log-forwarders/${body.id}`, change);
  const elsewhere = { url: "https://other.example/in" };
  expect((await change({ config: elsewhere })).body.code).toBe("log_forwarder_secret_again");
  expect((await change({ config: { ...HTTP.config, header: "X-Other" } })).body.code).toBe(
    "log_forwarder_secret_again",
  );
  expect((await change({ config: { url: "https://logs.example/other" } })).status).toBe(200);
  expect((await change({ config: elsewhere, secret: "new" })).body).toMatchObject({
    config: elsewhere,
    has_secret: true,
  });
  expect((await change({ secret: null })).body.has_secret).toBe(false);
  expect((await change({ min_level: "warn", sources: "system", enabled: false })).body).toMatchObject({
    min_level: "warn",
    sources: "system",
    state: "off",
  });
  expect((await change({ min_level: null })).body.min_level).toBeNull();
});

test("a test sends one real line and shows what came back", async () => {
  const receiver = startHttpReceiver(({ headers }) =>
    headers.get("authorization") === "right" ? new Response("thanks") : new Response("who are you?", { status: 401 }),
  );
  ends.push(() => receiver.stop());
  const { body } = await create({ ...HTTP, config: { url: receiver.url }, secret: "wrong" });
  const wrong = await call(`POST /api/log-forwarders/${body.id}/test`);
  expect(wrong.body).toMatchObject({ ok: false, code: 401 });
  expect(wrong.body.words).toBe("It does not accept the secret (401). Enter the right one. It says: who are you?");
  await call(`PUT /api/log-forwarders/${body.id}`, { secret: "right" });
  const right = await call(`POST /api/log-forwarders/${body.id}/test`);
  expect(right.body).toMatchObject({ ok: true, code: 200, words: "thanks" });
  expect(receiver.got[0]?.json.lines).toEqual([
    {
      at: "2026-01-01T00:00:00.000Z",
      source: "orrery",
      level: "info",
      text: expect.stringContaining("This is a test."),
    },
  ]);
});

test("nothing is on disk while there is none, and what waited goes with its forwarder", async () => {
  const root = join(node.dataDir, "log-forwarders");
  node.ctx.logForwarders.start();
  await node.ctx.logForwarders.settled();
  expect(existsSync(root)).toBe(false);
  const { body } = await create({ ...SYSLOG, enabled: false });
  await node.ctx.logForwarders.settled();
  expect(existsSync(join(root, body.id))).toBe(true);
  await call(`DELETE /api/log-forwarders/${body.id}`);
  await node.ctx.logForwarders.settled();
  expect(existsSync(root)).toBe(false);
});

test("people are told once when nothing got through for an hour, and when it does again", async () => {
  const { body } = await create(SYSLOG);
  const names = () => node.events.map(({ name }) => name).filter((name) => /failing|recovered/.test(name));
  const failing = "UPDATE log_forwarders SET failing_since = ?, last_error = 'nobody there.' WHERE id = ?";
  node.ctx.db.raw.query(failing).run("2026-01-01T00:00:00.000Z", body.id);
  node.ctx.logForwarders.start();
  await node.ctx.logForwarders.settled();
  const tell = () => node.ctx.jobs.run("log-forwarders.tell");
  await node.ctx.bus.idle();
  node.clock.jump(3_599_000);
  await tell();
  expect(names()).toEqual([]);
  node.clock.jump(2_000);
  await tell();
  await tell();
  await node.ctx.bus.idle();
  expect(names()).toEqual(["log_forwarder.failing"]);
  expect((await call("GET /api/log-forwarders")).body[0]).toMatchObject({
    state: "failing",
    last_error: "nobody there.",
  });
  const { items } = (await call("GET /api/timeline")).body;
  await until(() =>
    items.some(
      ({ title }: { title: string }) => title === "No log line has reached box for an hour: nobody there. 0 lines wait",
    ),
  );
});

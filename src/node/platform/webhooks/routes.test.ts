import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
beforeEach(() => {
  node = createTestNode({ session_rate: "100000", webhook_allow_cidrs: "127.0.0.0/8" });
});
afterEach(() => node.close());

const URL_A = "https://hooks.example.com/in/s3cret?x=1";
const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const make = async (change: Record<string, unknown> = {}) =>
  (await call("POST /api/webhooks", { url: URL_A, events: ["*"], ...change })).body;

test("a webhook shows its secret once and keeps it sealed", async () => {
  const answer = await call("POST /api/webhooks", { url: URL_A, events: ["app.crashed", "app.crashed"], active: true });
  expect(answer.status).toBe(200);
  const { secret, id, ...rest } = answer.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(rest).toEqual({ url: URL_A, events: ["app.crashed"], active: true, created_at: "2026-01-01T00:00:00.000Z" });
  expect((await call("GET /api/webhooks")).body).toEqual([{ id, ...rest }]);
  const changed = await call(`PUT /api/webhooks/${id}`, { events: ["*"], active: false });
  expect(changed.body).toEqual({ id, ...rest, events: ["*"], active: false });
  expect((await call("GET /api/webhooks")).body).toEqual([changed.body]);
  expect(JSON.stringify(node.ctx.db.raw.query("SELECT * FROM webhooks").all())).not.toContain(secret.slice(6, 40));
  expect((await call(`DELETE /api/webhooks/${id}`)).status).toBe(200);
  expect((await call("GET /api/webhooks")).body).toEqual([]);
  expect((await call(`DELETE /api/webhooks/${id}`)).body.code).toBe("webhook_not_found");
});

test("what is left out of a change stays", async () => {
  const { id } = await make({ active: false, events: ["app.started"] });
  expect((await call(`PUT /api/webhooks/${id}`, { active: true })).body).toMatchObject({
    events: ["app.started"],
    active: true,
  });
  expect((await call(`PUT /api/webhooks/${id}`, { events: ["*"] })).body).toMatchObject({
    events: ["*"],
    active: true,
  });
});

test("every type that is emitted is offered, in the contract's order and words", async () => {
  const types = (await node.call("GET /api/webhooks/event-types", { as: "viewer" })).body;
  expect(types.map(({ type, trigger }: { type: string; trigger: string }) => `${type}: ${trigger}`)).toEqual([
    "app.installed: A new app is installed from a template",
    "app.started: An app starts",
    "app.stopped: An app stops",
    "app.crashed: An app ends unexpectedly",
    "app.uninstalled: An app is removed",
    "app.updated: An app is updated to a new version",
    "backup.started: A backup begins",
    "backup.completed: A backup finishes successfully",
    "backup.failed: A backup fails",
    "backup.restored: A restore completes",
    "alert.fired: An alert rule’s threshold is breached",
    "alert.resolved: An alert’s condition returns to normal",
    "system.disk_warning: Disk usage is above the warning threshold",
  ]);
  for (const { type, family } of types) expect(type.split(".")[0]).toBe(family);
});

test("what the contract announces can be subscribed to before anything emits it", async () => {
  const events = ["app.started", "backup.failed", "domain.ssl_expiring", "vpn.peer_added", "system.update_available"];
  expect((await make({ events })).events).toEqual(events);
});

describe("is refused:", () => {
  test.each([
    ["app.exploded", "webhook_event_unknown"],
    ["webhook.test", "webhook_event_unknown"],
    ["app.*", "webhook_event_unknown"],
    ["constructor", "webhook_event_unknown"],
  ])("the event type %s", async (type, code) => {
    const answer = await call("POST /api/webhooks", { url: URL_A, events: ["app.started", type] });
    expect([answer.status, answer.body.code, answer.body.params.field]).toEqual([400, code, "events"]);
    const { id } = await make();
    expect((await call(`PUT /api/webhooks/${id}`, { events: [type] })).body.code).toBe(code);
  });

  test.each([
    ["nonsense", "bad_url"],
    ["ftp://example.com/", "bad_url"],
    ["https://user:pass@example.com/", "bad_url"],
    ["http://192.168.1.4/", "blocked_address"],
    ["http://[::1]/", "blocked_address"],
    ["http://169.254.169.254/latest/meta-data/", "blocked_address"],
  ])("the URL %s", async (url, reason) => {
    const { status, body } = await call("POST /api/webhooks", { url, events: ["*"] });
    expect([status, body.code, body.params.field, body.params.reason]).toEqual([
      400,
      "webhook_url_refused",
      "url",
      reason,
    ]);
    expect((await call("GET /api/webhooks")).body).toEqual([]);
  });

  test.each([
    [{ url: URL_A }, "events"],
    [{ url: URL_A, events: [] }, "events"],
    [{ url: URL_A, events: "*" }, "events"],
    [{ events: ["*"] }, "url"],
    [{ url: `https://example.com/${"x".repeat(2048)}`, events: ["*"] }, "url"],
    [{ url: "https://example.com/a\u0000b", events: ["*"] }, "url"],
    [{ url: "https://exam\tple.com/", events: ["*"] }, "url"],
    [{ url: " https://example.com/", events: ["*"] }, "url"],
    [{ url: URL_A, events: ["*"], active: "yes" }, "active"],
    [{ url: URL_A, events: ["*"], secret: "mine" }, "secret"],
  ])("the body %j", async (body, field) => {
    const answer = await call("POST /api/webhooks", body);
    expect([answer.status, answer.body.params.field]).toEqual([400, field]);
  });

  test("the eleventh of a member; an admin may still add one", async () => {
    const add = (as: "member" | "admin") =>
      node.call("POST /api/webhooks", { as, body: { url: URL_A, events: ["*"] } });
    for (let count = 0; count < 10; count++) expect((await add("member")).status).toBe(200);
    const answer = await add("member");
    expect([answer.status, answer.body.code]).toEqual([409, "webhook_own_limit"]);
    expect((await add("admin")).status).toBe(200);
  });

  test("the fifty-first", async () => {
    for (let count = 0; count < 50; count++) await make();
    expect((await call("POST /api/webhooks", { url: URL_A, events: ["*"] })).body.code).toBe("webhook_limit");
  });
});

test("an address on this machine is accepted where its range is allowed, but never the node's own port", async () => {
  expect((await call("POST /api/webhooks", { url: "http://127.0.0.1:9/", events: ["*"] })).status).toBe(200);
  const own = await call("POST /api/webhooks", { url: "http://127.0.0.1:8420/", events: ["*"] });
  expect([own.status, own.body.params.reason]).toEqual([400, "blocked_address"]);
});

test("people who are no admins see where webhooks lead, but not the part that may be a password", async () => {
  await make();
  expect((await node.call("GET /api/webhooks", { as: "viewer" })).body[0].url).toBe("https://hooks.example.com/…");
  for (const route of ["GET /api/webhooks/health", "GET /api/webhooks/x/deliveries", "POST /api/webhooks/x/test"])
    expect((await node.call(route, { as: "viewer" })).status).toBe(403);
});

test("members make, change and delete webhooks; the whole address they see only as they enter it", async () => {
  const as = "member" as const;
  const made = await node.call("POST /api/webhooks", { as, body: { url: URL_A, events: ["*"] } });
  expect([made.status, made.body.url]).toEqual([200, URL_A]);
  const changed = await node.call(`PUT /api/webhooks/${made.body.id}`, { as, body: { active: false } });
  expect([changed.status, changed.body.active, changed.body.url]).toEqual([200, false, "https://hooks.example.com/…"]);
  expect((await node.call(`DELETE /api/webhooks/${made.body.id}`, { as })).status).toBe(200);
});

test("what admins do is in the audit log, without secrets and paths", async () => {
  const { id, secret } = await make();
  await call(`PUT /api/webhooks/${id}`, { active: false });
  await call(`POST /api/webhooks/${id}/rotate-secret`);
  await call(`DELETE /api/webhooks/${id}`);
  await node.ctx.bus.idle();
  const { body } = await call("GET /api/audit/logs?action=webhook.");
  expect(body.map(({ action }: { action: string }) => action)).toEqual([
    ...["webhook.deleted", "webhook.secret_rotated", "webhook.changed", "webhook.created"],
  ]);
  expect(JSON.stringify(body)).not.toContain(secret);
  expect(JSON.stringify(body)).not.toContain("s3cret");
});

describe("whose webhook it is:", () => {
  const touches: [string, unknown][] = [
    ["PUT /api/webhooks/{id}", { active: false }],
    ["POST /api/webhooks/{id}/rotate-secret", undefined],
    ["POST /api/webhooks/{id}/test", undefined],
    ["POST /api/webhooks/{id}/replay", { since: "2026-01-01T00:00:00Z" }],
    ["POST /api/webhooks/{id}/deliveries/none/retry", undefined],
    ["DELETE /api/webhooks/{id}", undefined],
  ];

  test.each(touches)("a member does not %s what an admin added", async (route, body) => {
    const { id } = await make();
    const before = node.ctx.db.raw.query("SELECT * FROM webhooks").all();
    const answer = await node.call(route.replace("{id}", id), { as: "member", body });
    expect([answer.status, answer.body.code]).toEqual([403, "webhook_foreign"]);
    expect(node.ctx.db.raw.query("SELECT * FROM webhooks").all()).toEqual(before);
  });

  test.each(touches)("a member does %s what they added, and an admin too", async (route, body) => {
    for (const as of ["member", "admin"] as const) {
      const { id } = (await node.call("POST /api/webhooks", { as: "member", body: { url: URL_A, events: ["*"] } }))
        .body;
      const answer = await node.call(route.replace("{id}", id), { as, body });
      expect([200, 404]).toContain(answer.status);
      expect(answer.body.code).not.toBe("webhook_foreign");
    }
  });

  test("one without a maker on record belongs to admins, and health says what the caller may do", async () => {
    const { id } = (await node.call("POST /api/webhooks", { as: "member", body: { url: URL_A, events: ["*"] } })).body;
    const mayChange = async (as: "member" | "admin") =>
      (await node.call("GET /api/webhooks/health", { as })).body.map(
        ({ may_change }: { may_change: boolean }) => may_change,
      );
    expect([await mayChange("member"), await mayChange("admin")]).toEqual([[true], [true]]);
    node.ctx.db.raw.query("UPDATE webhooks SET created_by = NULL").run();
    expect([await mayChange("member"), await mayChange("admin")]).toEqual([[false], [true]]);
    const answer = await node.call(`DELETE /api/webhooks/${id}`, { as: "member" });
    expect([answer.status, answer.body.code]).toEqual([403, "webhook_foreign"]);
  });
});

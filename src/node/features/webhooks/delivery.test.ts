import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { type Receiver, startReceiver } from "../../../../tests/kit/receiver.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { readRetryAfter } from "./attempt.ts";
import { webhooks } from "./index.ts";
import { signStandard } from "./sign.ts";

const CONFIG = { session_rate: "100000", webhook_allow_cidrs: "127.0.0.0/8" };
let node: TestNode;
let receiver: Receiver;
beforeEach(() => {
  node = createTestNode(CONFIG);
  receiver = startReceiver();
});
afterEach(async () => {
  await node.ctx.webhooks.settled();
  node.close();
  await receiver.stop();
});

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const make = async (change: Record<string, unknown> = {}) =>
  (await call("POST /api/webhooks", { url: receiver.url, events: ["*"], ...change })).body;
const settled = () => node.ctx.webhooks.settled();
const pass = async (ms: number) => {
  await node.clock.advance(ms);
  await settled();
};
const APP = { app_id: "app_1", name: "wiki", template: "dokuwiki", status: "running" } as const;
const emit = async () => {
  node.ctx.bus.emit("app.started", APP);
  await settled();
};
const log = async (id: string, query = "") => (await call(`GET /api/webhooks/${id}/deliveries${query}`)).body;
const health = async () => (await call("GET /api/webhooks/health")).body;
const failing =
  (status = 500, headers = {}) =>
  () =>
    new Response("no", { status, headers });

test("an event arrives as the contract's envelope, signed in both ways", async () => {
  const { id, secret } = await make();
  node.ctx.bus.emit("app.crashed", { ...APP, service: "web", cause: "out of memory", next_step: null });
  await settled();
  const [got] = receiver.got;
  const { node_id } = (await call("GET /api/system/info")).body;
  expect(got?.json).toEqual({
    id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
    type: "app.crashed",
    timestamp: "2026-01-01T00:00:00.000Z",
    instance_id: node_id,
    data: APP,
  });
  const headers = Object.fromEntries(got?.headers ?? []);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": got?.json.id,
    "webhook-timestamp": String(Date.UTC(2026, 0, 1) / 1000),
    "x-service-signature": `sha256=${createHmac("sha256", secret)
      .update(got?.body ?? "")
      .digest("hex")}`,
    "webhook-signature": signStandard(secret, got?.json.id, Date.UTC(2026, 0, 1) / 1000, got?.body ?? ""),
  });
  const [delivery] = await log(id);
  expect(delivery).toEqual({
    id: expect.stringMatching(/^dlv_/),
    event_id: got?.json.id,
    type: "app.crashed",
    status: "delivered",
    attempts: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    delivered_at: "2026-01-01T00:00:00.000Z",
    next_attempt_at: null,
    last_attempt: {
      number: 1,
      at: "2026-01-01T00:00:00.000Z",
      status_code: 200,
      duration_ms: 0,
      error: null,
      reply: "ok",
    },
  });
  const detail = (await call(`GET /api/webhooks/${id}/deliveries/${delivery.id}`)).body;
  expect(detail).toEqual({ ...delivery, request_body: got?.body, tries: [delivery.last_attempt] });
});

test("only active webhooks that subscribe hear of an event; other events of the bus stay inside", async () => {
  await make({ events: ["app.started"] });
  await make({ events: ["app.stopped", "backup.failed"] });
  await make({ active: false });
  await make();
  await emit();
  node.ctx.bus.emit("app.status_changed", { id: "app_1", status: "running", cause: null });
  node.ctx.bus.emit("app.removed", { id: "app_1" });
  await settled();
  expect(receiver.got.map(({ json }) => json.type)).toEqual(["app.started", "app.started"]);
  expect(new Set(receiver.got.map(({ json }) => json.id)).size).toBe(1);
});

test("an event whose transaction rolls back is never sent", async () => {
  await make();
  expect(() =>
    node.ctx.db.tx(() => {
      node.ctx.bus.emit("app.started", APP);
      throw new Error("rolled back");
    }),
  ).toThrow("rolled back");
  await settled();
  expect(receiver.got).toEqual([]);
  expect(node.ctx.db.raw.query("SELECT * FROM webhook_messages").all()).toEqual([]);
});

test("a failing receiver is asked again after 1 m, 5 m, 30 m, 2 h and 12 h, never earlier, with the same bytes", async () => {
  receiver.answer = failing(503);
  const { id, secret } = await make();
  await emit();
  const waits = [minutes(1), minutes(5), minutes(30), hours(2), hours(12)];
  for (const [index, wait] of waits.entries()) {
    // The source of chance of a test node always says one half, which is 5 %.
    await pass(wait * 1.05 - 1);
    expect([wait, receiver.got.length]).toEqual([wait, index + 1]);
    await pass(1);
    expect([wait, receiver.got.length]).toEqual([wait, index + 2]);
  }
  await pass(hours(48));
  expect(receiver.got.length).toBe(6);
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.got.map(({ headers }) => headers.get("x-service-signature"))).size).toBe(1);
  const times = receiver.got.map(({ headers }) => Number(headers.get("webhook-timestamp")));
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(new Set(times).size).toBe(6);
  const last = receiver.got.at(-1);
  const signature = signStandard(secret, last?.json.id, Number(times.at(-1)), last?.body ?? "");
  expect(last?.headers.get("webhook-signature")).toBe(signature);
  expect((await log(id))[0]).toMatchObject({
    status: "failed",
    attempts: 6,
    next_attempt_at: null,
    last_attempt: { status_code: 503, error: expect.stringContaining("503"), reply: "no" },
  });
});

test.each([
  ["120", 120_000],
  ["1", 63_000],
  ["Thu, 01 Jan 2026 00:10:00 GMT", 600_000],
  ["-5", 63_000],
  ["soon", 63_000],
  ["999999999", 86_400_000],
])("Retry-After: %s makes it wait for %d ms", async (value, expected) => {
  receiver.answer = failing(429, { "retry-after": value });
  const { id } = await make();
  await emit();
  const [delivery] = await log(id);
  expect(Date.parse(delivery.next_attempt_at) - node.clock.now()).toBe(expected);
});

test("Retry-After is read as seconds or as a date", () => {
  expect([readRetryAfter(undefined, 0), readRetryAfter("", 0), readRetryAfter("1e3", 0)]).toEqual([0, 0, 0]);
});

test("a receiver that redirects, hangs up, lies about its size or is off limits is one that failed, with the reason", async () => {
  const { id } = await make();
  const reasons: string[] = [];
  const attempt = async (answer: Receiver["answer"]) => {
    receiver.answer = answer;
    await call(`POST /api/webhooks/${id}/test`);
    await settled();
    const [delivery] = await log(id);
    reasons.push(`${delivery.status} ${delivery.last_attempt.status_code} ${delivery.last_attempt.error}`);
  };
  await attempt(() => new Response("", { status: 302, headers: { location: "http://127.0.0.1:1/" } }));
  await attempt(() => new Response("x".repeat(100_000)));
  expect(reasons).toEqual(["failed 302 The reply is a redirect (302), which is not followed.", "delivered 200 null"]);
  expect((await log(id))[0].last_attempt.reply).toBe("x".repeat(4096));
});

test("ten failed attempts a minute apart switch the webhook off and tell the others", async () => {
  const other = startReceiver();
  const { id } = await make({ events: ["app.started"] });
  await make({ url: other.url, events: ["alert.fired"] });
  await make({ url: other.url, events: ["app.stopped"] });
  receiver.answer = failing();
  for (let count = 1; count <= 9; count++) {
    await emit();
    await node.clock.advance(seconds(61));
    await settled();
  }
  // The retries of the first ones fail in between, so that ten are reached before the tenth event.
  expect((await call("GET /api/webhooks")).body[0]).toMatchObject({ id, active: false });
  expect((await health())[0]).toMatchObject({ failures: 10, off_reason: "failures", off_at: expect.any(String) });
  expect(other.got.map(({ json }) => [json.type, json.data.type, json.data.webhook_id])).toEqual([
    ["alert.fired", "webhook_disabled", id],
  ]);
  expect(other.got[0]?.body).not.toContain("/hook");
  expect(node.events.filter(({ name }) => name === "webhook.disabled").map(({ data }) => data)).toEqual([
    { webhook_id: id, url: receiver.url, reason: "failures" },
  ]);
  const before = receiver.got.length;
  await emit();
  await pass(hours(48));
  expect(receiver.got.length).toBe(before);

  receiver.answer = () => new Response("ok");
  await call(`PUT /api/webhooks/${id}`, { active: true });
  await settled();
  expect((await health())[0]).toMatchObject({ failures: 0, off_reason: null, off_at: null, pending: 0 });
  // What it missed while it was off is not made up; what was waiting is sent.
  expect(receiver.got.length).toBeGreaterThan(before);
  expect(new Set((await log(id)).map(({ status }: { status: string }) => status))).toEqual(new Set(["delivered"]));
  await other.stop();
});

test("a burst of failures is one", async () => {
  receiver.answer = failing();
  await make();
  for (let count = 0; count < 30; count++) node.ctx.bus.emit("app.started", APP);
  await settled();
  expect(receiver.got.length).toBe(30);
  expect((await health())[0]).toMatchObject({ failures: 1, pending: 30, off_reason: null });
});

test("a receiver that is gone for good is not asked again", async () => {
  receiver.answer = failing(410);
  const { id } = await make();
  await emit();
  expect((await health())[0]).toMatchObject({ off_reason: "gone", pending: 0 });
  expect((await log(id))[0]).toMatchObject({ status: "failed", attempts: 1 });
});

test("a failed delivery can be sent again by hand, with the same id, also while the webhook is off", async () => {
  receiver.answer = failing(410);
  const { id } = await make();
  await emit();
  const [{ id: did }] = await log(id);
  receiver.answer = failing();
  const asked = await call(`POST /api/webhooks/${id}/deliveries/${did}/retry`);
  expect(asked.body).toMatchObject({ id: did, status: "pending", attempts: 1 });
  await settled();
  expect((await log(id))[0]).toMatchObject({ status: "failed", attempts: 2 });
  receiver.answer = () => new Response("ok");
  await call(`POST /api/webhooks/${id}/deliveries/${did}/retry`);
  await settled();
  expect((await log(id))[0]).toMatchObject({ status: "delivered", attempts: 3 });
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
  const { tries } = (await call(`GET /api/webhooks/${id}/deliveries/${did}`)).body;
  expect(tries.map(({ number, status_code }: Record<string, number>) => [number, status_code])).toEqual([
    [1, 410],
    [2, 500],
    [3, 200],
  ]);
});

test("a waiting delivery that is sent by hand goes on with its retries when that fails", async () => {
  receiver.answer = failing();
  const { id } = await make();
  await emit();
  const [{ id: did }] = await log(id);
  await call(`POST /api/webhooks/${id}/deliveries/${did}/retry`);
  await settled();
  const [delivery] = await log(id);
  expect(delivery).toMatchObject({ status: "pending", attempts: 2 });
  expect(Date.parse(delivery.next_attempt_at) - node.clock.now()).toBe(minutes(5) * 1.05);
});

test("a test event goes to that webhook alone", async () => {
  const { id } = await make({ active: false, events: ["app.started"] });
  await make();
  const answer = await call(`POST /api/webhooks/${id}/test`);
  expect(answer.body).toMatchObject({ type: "webhook.test", status: "pending", attempts: 0, last_attempt: null });
  await settled();
  expect(receiver.got.map(({ json }) => [json.type, json.data.webhook_id])).toEqual([["webhook.test", id]]);
  expect((await log(id))[0].status).toBe("delivered");
});

test("after a rotation both secrets sign for a day, then the new one alone; the plain header follows at once", async () => {
  const { id, secret: before } = await make();
  const rotated = (await call(`POST /api/webhooks/${id}/rotate-secret`)).body;
  expect(rotated).toEqual({ id, secret: expect.stringMatching(/^whsec_/), previous_until: "2026-01-02T00:00:00.000Z" });
  expect((await health())[0].previous_secret_until).toBe(rotated.previous_until);
  await emit();
  await pass(hours(24));
  await emit();
  const signed = receiver.got.map(({ headers, body, json }) => {
    const timestamp = Number(headers.get("webhook-timestamp"));
    const parts = headers.get("webhook-signature")?.split(" ") ?? [];
    const plain = createHmac("sha256", rotated.secret).update(body).digest("hex");
    expect(headers.get("x-service-signature")).toBe(`sha256=${plain}`);
    return [rotated.secret, before].map((secret) => parts.includes(signStandard(secret, json.id, timestamp, body)));
  });
  expect(signed).toEqual([
    [true, true],
    [true, false],
  ]);
  expect((await health())[0].previous_secret_until).toBeNull();
});

test("four webhooks are served at a time, one request each, in the order of the events", async () => {
  let open = 0;
  let most = 0;
  const perPath = new Map<string, number>();
  receiver.answer = async ({ path }) => {
    open += 1;
    most = Math.max(most, open);
    perPath.set(path, (perPath.get(path) ?? 0) + 1);
    expect(perPath.get(path)).toBe(1);
    await Bun.sleep(2);
    open -= 1;
    perPath.set(path, 0);
    return new Response("ok");
  };
  for (let index = 0; index < 6; index++) await make({ url: receiver.url.replace("hook", `hook-${index}`) });
  for (let count = 0; count < 10; count++) node.ctx.bus.emit("app.started", APP);
  await settled();
  expect([receiver.got.length, most]).toEqual([60, 4]);
  for (let index = 0; index < 6; index++) {
    const ids = receiver.got.filter(({ path }) => path === `/hook-${index}`).map(({ json }) => json.id);
    expect(ids).toEqual(ids.toSorted());
    expect(ids.length).toBe(10);
  }
});

test("the log is read in pages and by status", async () => {
  const { id } = await make();
  for (let count = 0; count < 5; count++) await emit();
  receiver.answer = failing(410);
  await emit();
  const all = await log(id);
  expect(all.length).toBe(6);
  const first = await log(id, "?limit=4");
  const second = await log(id, `?limit=4&cursor=${first.at(-1).id}`);
  expect([...first, ...second]).toEqual(all);
  expect((await log(id, "?status=failed")).length).toBe(1);
  expect((await call(`GET /api/webhooks/${id}/deliveries/nothing`)).body.code).toBe("webhook_delivery_not_found");
  const other = await make();
  expect((await call(`GET /api/webhooks/${other.id}/deliveries/${all[0].id}`)).status).toBe(404);
  expect((await call(`POST /api/webhooks/${other.id}/deliveries/${all[0].id}/retry`)).status).toBe(404);
});

test("a node that starts again goes on where it was", async () => {
  receiver.answer = failing();
  const { id } = await make();
  await emit();
  // Only the hands of the clock move, so that the first node, which would have been killed, does nothing.
  node.clock.jump(minutes(2));
  const again = createTestNode(CONFIG, node);
  receiver.answer = () => new Response("ok");
  await webhooks.start?.(again.ctx);
  await again.ctx.webhooks.settled();
  expect(receiver.got.at(-1)?.body).toBe(receiver.got[0]?.body);
  expect((await again.call(`GET /api/webhooks/${id}/deliveries`, { as: "admin" })).body[0].status).toBe("delivered");
});

test("a clock that is set back ten years does not keep a retry waiting for them", async () => {
  receiver.answer = failing();
  await make();
  await emit();
  node.clock.jump(-hours(24 * 3650));
  receiver.answer = () => new Response("ok");
  await node.ctx.jobs.run("webhooks.catch_up");
  await settled();
  expect(receiver.got.length).toBe(2);
  expect((await health())[0].pending).toBe(0);
});

test("the log is kept for 30 days; what still has to be sent is kept for as long as it takes", async () => {
  const { id } = await make();
  await emit();
  receiver.answer = failing();
  await emit();
  await pass(hours(24 * 29));
  await node.ctx.jobs.run("webhooks.sweep");
  expect((await log(id)).length).toBe(2);
  node.clock.jump(hours(24 * 3650));
  await node.ctx.db.raw.query("UPDATE webhook_deliveries SET status = 'pending' WHERE status = 'failed'").run();
  await node.ctx.jobs.run("webhooks.sweep");
  expect((await log(id)).map(({ status }: { status: string }) => status)).toEqual(["pending"]);
  expect(node.ctx.db.raw.query("SELECT COUNT(*) AS n FROM webhook_messages").get()).toEqual({ n: 1 });
  await call(`DELETE /api/webhooks/${id}`);
  await node.ctx.jobs.run("webhooks.sweep");
  for (const table of ["webhook_messages", "webhook_deliveries", "webhook_attempts"])
    expect(node.ctx.db.raw.query(`SELECT * FROM ${table}`).all()).toEqual([]);
});

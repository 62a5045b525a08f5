import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { APP, failing, HOOKED, useHookedNode } from "../../../../tests/kit/hooked-node.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { type Receiver, startReceiver } from "../../../../tests/kit/receiver.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { readRetryAfter } from "./attempt.ts";
import { signStandard } from "./sign.ts";

const hooked = useHookedNode();
const { call, make, settled, pass, emit, log, health } = hooked;

test("an event arrives as the contract's envelope, signed in both ways", async () => {
  const { id, secret } = await make();
  hooked.node.ctx.bus.emit("app.crashed", { ...APP, service: "web", cause: "out of memory", next_step: null });
  await settled();
  const [got] = hooked.receiver.got;
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
  hooked.node.ctx.bus.emit("app.status_changed", { id: "app_1", status: "running", cause: null });
  hooked.node.ctx.bus.emit("app.removed", { id: "app_1" });
  await settled();
  expect(hooked.receiver.got.map(({ json }) => json.type)).toEqual(["app.started", "app.started"]);
  expect(new Set(hooked.receiver.got.map(({ json }) => json.id)).size).toBe(1);
});

test("an event whose transaction rolls back is never sent", async () => {
  await make();
  expect(() =>
    hooked.node.ctx.db.tx(() => {
      hooked.node.ctx.bus.emit("app.started", APP);
      throw new Error("rolled back");
    }),
  ).toThrow("rolled back");
  await settled();
  expect(hooked.receiver.got).toEqual([]);
  expect(hooked.node.ctx.db.raw.query("SELECT * FROM webhook_messages").all()).toEqual([]);
});

test("the path of an address, often its password, is not kept where the receiver quotes it", async () => {
  const url = `${hooked.receiver.url}/very-secret?key=tok-12345`;
  hooked.receiver.answer = ({ path }) => new Response(`Cannot POST ${path}, ${url}`, { status: 404 });
  const { id } = await make({ url });
  await emit();
  expect((await log(id))[0].last_attempt.reply).toBe("Cannot POST [hidden], [hidden]");
});

test("a failing receiver is asked again after 1 m, 5 m, 30 m, 2 h and 12 h, never earlier, with the same bytes", async () => {
  hooked.receiver.answer = failing(503);
  const { id, secret } = await make();
  await emit();
  const waits = [minutes(1), minutes(5), minutes(30), hours(2), hours(12)];
  for (const [index, wait] of waits.entries()) {
    // The source of chance of a test node always says one half, which is 5 %.
    await pass(wait * 1.05 - 1);
    expect([wait, hooked.receiver.got.length]).toEqual([wait, index + 1]);
    await pass(1);
    expect([wait, hooked.receiver.got.length]).toEqual([wait, index + 2]);
  }
  await pass(hours(48));
  expect(hooked.receiver.got.length).toBe(6);
  expect(new Set(hooked.receiver.got.map(({ body }) => body)).size).toBe(1);
  expect(new Set(hooked.receiver.got.map(({ headers }) => headers.get("x-service-signature"))).size).toBe(1);
  const times = hooked.receiver.got.map(({ headers }) => Number(headers.get("webhook-timestamp")));
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(new Set(times).size).toBe(6);
  const last = hooked.receiver.got.at(-1);
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
  hooked.receiver.answer = failing(429, { "retry-after": value });
  const { id } = await make();
  await emit();
  const [delivery] = await log(id);
  expect(Date.parse(delivery.next_attempt_at) - hooked.node.clock.now()).toBe(expected);
});

test("Retry-After is read as seconds or as a date", () => {
  expect([readRetryAfter(undefined, 0), readRetryAfter("", 0), readRetryAfter("1e3", 0)]).toEqual([0, 0, 0]);
});

test("a receiver that redirects, hangs up, lies about its size or is off limits is one that failed, with the reason", async () => {
  const { id } = await make();
  const reasons: string[] = [];
  const attempt = async (answer: Receiver["answer"]) => {
    hooked.receiver.answer = answer;
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
  hooked.receiver.answer = failing();
  for (let count = 1; count <= 9; count++) {
    await emit();
    await hooked.node.clock.advance(seconds(61));
    await settled();
  }
  // The retries of the first ones fail in between, so that ten are reached before the tenth event.
  expect((await call("GET /api/webhooks")).body[0]).toMatchObject({ id, active: false });
  expect((await health())[0]).toMatchObject({ failures: 10, off_reason: "failures", off_at: expect.any(String) });
  expect(other.got.map(({ json }) => [json.type, json.data.type, json.data.webhook_id])).toEqual([
    ["alert.fired", "webhook_disabled", id],
  ]);
  expect(other.got[0]?.body).not.toContain("/hook");
  expect(hooked.node.events.filter(({ name }) => name === "webhook.disabled").map(({ data }) => data)).toEqual([
    { webhook_id: id, url: hooked.receiver.url, reason: "failures" },
  ]);
  const before = hooked.receiver.got.length;
  await emit();
  await pass(hours(48));
  expect(hooked.receiver.got.length).toBe(before);

  hooked.receiver.answer = () => new Response("ok");
  await call(`PUT /api/webhooks/${id}`, { active: true });
  await settled();
  expect((await health())[0]).toMatchObject({ failures: 0, off_reason: null, off_at: null, pending: 0 });
  // What it missed while it was off is not made up; what was waiting is sent.
  expect(hooked.receiver.got.length).toBeGreaterThan(before);
  expect(new Set((await log(id)).map(({ status }: { status: string }) => status))).toEqual(new Set(["delivered"]));
  await other.stop();
});

test("a burst of failures is one", async () => {
  hooked.receiver.answer = failing();
  await make();
  for (let count = 0; count < 30; count++) hooked.node.ctx.bus.emit("app.started", APP);
  await settled();
  expect(hooked.receiver.got.length).toBe(30);
  expect((await health())[0]).toMatchObject({ failures: 1, pending: 30, off_reason: null });
});

test("a receiver that is gone for good is not asked again", async () => {
  hooked.receiver.answer = failing(410);
  const { id } = await make();
  await emit();
  expect((await health())[0]).toMatchObject({ off_reason: "gone", pending: 0 });
  expect((await log(id))[0]).toMatchObject({ status: "failed", attempts: 1 });
});

test("four webhooks are served at a time, one request each, in the order of the events", async () => {
  let open = 0;
  let most = 0;
  const perPath = new Map<string, number>();
  hooked.receiver.answer = async ({ path }) => {
    open += 1;
    most = Math.max(most, open);
    perPath.set(path, (perPath.get(path) ?? 0) + 1);
    expect(perPath.get(path)).toBe(1);
    await Bun.sleep(2);
    open -= 1;
    perPath.set(path, 0);
    return new Response("ok");
  };
  for (let index = 0; index < 6; index++) await make({ url: hooked.receiver.url.replace("hook", `hook-${index}`) });
  for (let count = 0; count < 10; count++) hooked.node.ctx.bus.emit("app.started", APP);
  await settled();
  expect([hooked.receiver.got.length, most]).toEqual([60, 4]);
  for (let index = 0; index < 6; index++) {
    const ids = hooked.receiver.got.filter(({ path }) => path === `/hook-${index}`).map(({ json }) => json.id);
    expect(ids).toEqual(ids.toSorted());
    expect(ids.length).toBe(10);
  }
});

test("a node that starts again goes on where it was", async () => {
  hooked.receiver.answer = failing();
  const { id } = await make();
  await emit();
  // Only the hands of the clock move, so that the first node, which would have been killed, does nothing.
  hooked.node.clock.jump(minutes(2));
  const again = createTestNode(HOOKED, hooked.node);
  hooked.receiver.answer = () => new Response("ok");
  again.ctx.webhooks.start();
  await again.ctx.webhooks.settled();
  expect(hooked.receiver.got.at(-1)?.body).toBe(hooked.receiver.got[0]?.body);
  expect((await again.call(`GET /api/webhooks/${id}/deliveries`, { as: "admin" })).body[0].status).toBe("delivered");
});

test("a clock that is set back ten years does not keep a retry waiting for them", async () => {
  hooked.receiver.answer = failing();
  await make();
  await emit();
  hooked.node.clock.jump(-hours(24 * 3650));
  hooked.receiver.answer = () => new Response("ok");
  await hooked.node.ctx.jobs.run("webhooks.catch_up");
  await settled();
  expect(hooked.receiver.got.length).toBe(2);
  expect((await health())[0].pending).toBe(0);
});

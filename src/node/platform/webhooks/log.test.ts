import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { failing, useHookedNode } from "../../../../tests/kit/hooked-node.ts";
import { hours, minutes } from "../../../lib/duration.ts";
import { signStandard } from "./sign.ts";

const hooked = useHookedNode();
const { call, make, settled, pass, emit, log, health } = hooked;

test("a failed delivery can be sent again by hand, with the same id, also while the webhook is off", async () => {
  hooked.receiver.answer = failing(410);
  const { id } = await make();
  await emit();
  const [{ id: did }] = await log(id);
  hooked.receiver.answer = failing();
  const asked = await call(`POST /api/webhooks/${id}/deliveries/${did}/retry`);
  expect(asked.body).toMatchObject({ id: did, status: "pending", attempts: 1 });
  await settled();
  expect((await log(id))[0]).toMatchObject({ status: "failed", attempts: 2 });
  hooked.receiver.answer = () => new Response("ok");
  await call(`POST /api/webhooks/${id}/deliveries/${did}/retry`);
  await settled();
  expect((await log(id))[0]).toMatchObject({ status: "delivered", attempts: 3 });
  expect(new Set(hooked.receiver.got.map(({ body }) => body)).size).toBe(1);
  const { tries } = (await call(`GET /api/webhooks/${id}/deliveries/${did}`)).body;
  expect(tries.map(({ number, status_code }: Record<string, number>) => [number, status_code])).toEqual([
    [1, 410],
    [2, 500],
    [3, 200],
  ]);
});

test("everything that failed since a moment can be sent again at once", async () => {
  hooked.receiver.answer = failing(410);
  const { id } = await make();
  await emit();
  for (const _ of [1, 2]) {
    await call(`PUT /api/webhooks/${id}`, { active: true });
    await hooked.node.clock.advance(minutes(10));
    await emit();
  }
  hooked.receiver.answer = () => new Response("ok");
  const replay = (since: string) => call(`POST /api/webhooks/${id}/replay`, { since });
  expect((await replay("2026-01-01T00:10:00Z")).body).toEqual({ count: 2 });
  await settled();
  const statuses = (await log(id)).map(({ status, attempts }: Record<string, unknown>) => [status, attempts]);
  expect(statuses).toEqual([
    ["delivered", 2],
    ["delivered", 2],
    ["failed", 1],
  ]);
  expect((await replay("2026-01-01T00:10:00Z")).body).toEqual({ count: 0 });
  expect((await replay("yesterday")).body.params.field).toBe("since");
});

test("sending a waiting delivery by hand uses up none of its automatic attempts, on or off", async () => {
  hooked.receiver.answer = failing();
  const { id } = await make();
  await emit();
  const [{ id: did, next_attempt_at }] = await log(id);
  for (const active of [true, true, false]) {
    await call(`PUT /api/webhooks/${id}`, { active });
    await call(`POST /api/webhooks/${id}/deliveries/${did}/retry`);
    await settled();
  }
  const [delivery] = await log(id);
  expect(delivery).toMatchObject({ status: "pending", attempts: 4, next_attempt_at });
  await call(`PUT /api/webhooks/${id}`, { active: true });
  const waits: number[] = [];
  for (let now = hooked.node.clock.now(); ; now = hooked.node.clock.now()) {
    const [{ status, next_attempt_at: at }] = await log(id);
    if (status !== "pending") break;
    waits.push(Date.parse(at) - now);
    await pass(Date.parse(at) - now);
  }
  expect(waits).toEqual([1, 5, 30, 120, 720].map((wait) => minutes(wait) * 1.05));
  expect((await log(id))[0]).toMatchObject({ status: "failed", attempts: 9 });
});

test("a test event goes to that webhook alone", async () => {
  const { id } = await make({ active: false, events: ["app.started"] });
  await make();
  const answer = await call(`POST /api/webhooks/${id}/test`);
  expect(answer.body).toMatchObject({ type: "webhook.test", status: "pending", attempts: 0, last_attempt: null });
  await settled();
  expect(hooked.receiver.got.map(({ json }) => [json.type, json.data.webhook_id])).toEqual([["webhook.test", id]]);
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
  const signed = hooked.receiver.got.map(({ headers, body, json }) => {
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

test("the log is read in pages and by status", async () => {
  const { id } = await make();
  for (let count = 0; count < 5; count++) await emit();
  hooked.receiver.answer = failing(410);
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

test("the log is kept for 30 days; what still has to be sent is kept for as long as it takes", async () => {
  const { id } = await make();
  await emit();
  hooked.receiver.answer = failing();
  await emit();
  await pass(hours(24 * 29));
  await hooked.node.ctx.jobs.run("webhooks.sweep");
  expect((await log(id)).length).toBe(2);
  hooked.node.clock.jump(hours(24 * 3650));
  await hooked.node.ctx.db.raw.query("UPDATE webhook_deliveries SET status = 'pending' WHERE status = 'failed'").run();
  await hooked.node.ctx.jobs.run("webhooks.sweep");
  expect((await log(id)).map(({ status }: { status: string }) => status)).toEqual(["pending"]);
  expect(hooked.node.ctx.db.raw.query("SELECT COUNT(*) AS n FROM webhook_messages").get()).toEqual({ n: 1 });
  await call(`DELETE /api/webhooks/${id}`);
  await hooked.node.ctx.jobs.run("webhooks.sweep");
  for (const table of ["webhook_messages", "webhook_deliveries", "webhook_attempts"])
    expect(hooked.node.ctx.db.raw.query(`SELECT * FROM ${table}`).all()).toEqual([]);
});

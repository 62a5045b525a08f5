import { expect, test } from "bun:test";
import { failing, useHookedNode } from "../../../../tests/kit/hooked-node.ts";
import { withSecondAdmin } from "../../../../tests/kit/second-admin.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, minutes } from "../../../lib/duration.ts";

const hooked = useHookedNode();
const { call, settled, pass, emit, health } = hooked;

/** A member's webhook; `usr_member` is the account. */
async function makeAsMember(): Promise<string> {
  const body = { url: hooked.receiver.url, events: ["*"] };
  return (await hooked.node.call("POST /api/webhooks", { as: "member", body })).body.id;
}
const change = (body: object) => call("PATCH /api/users/usr_member", body);
const heard = () => hooked.receiver.got.map(({ json }) => json.type).filter((type) => type.startsWith("app."));

test.each<[string, () => Promise<unknown>, (() => Promise<unknown>) | null]>([
  ["becomes a viewer", () => change({ role: "viewer" }), () => change({ role: "member" })],
  ["is switched off", () => change({ disabled: true }), () => change({ disabled: false })],
  ["is deleted", () => call("DELETE /api/users/usr_member"), null],
])("nothing more is sent once the maker %s, and it goes on when the maker may again", async (_what, end, back) => {
  const id = await makeAsMember();
  await emit();
  expect(heard()).toEqual(["app.started"]);
  hooked.receiver.answer = failing(503);
  await emit();
  hooked.receiver.answer = () => new Response("ok");
  await end();
  await pass(minutes(2));
  await emit();
  expect(heard()).toHaveLength(2);
  expect((await health())[0]).toMatchObject({ id, paused: true, off_reason: null, pending: 1 });
  if (!back) return;
  await back();
  await pass(minutes(1));
  await hooked.node.ctx.jobs.run("webhooks.catch_up");
  await settled();
  // What waited is sent; what happened meanwhile is not, as with one that is switched off.
  expect(heard()).toHaveLength(3);
  await emit();
  expect(heard()).toHaveLength(4);
  expect((await health())[0]).toMatchObject({ paused: false, pending: 0 });
});

test("what a maker asked to have sent again is not sent once they may not", async () => {
  const id = await makeAsMember();
  hooked.receiver.answer = failing(410);
  await emit();
  const replay = { since: "2025-01-01T00:00:00Z" };
  const never = Promise.withResolvers<Response>();
  hooked.receiver.answer = () => never.promise;
  await hooked.node.call(`POST /api/webhooks/${id}/test`, { as: "member" });
  await until(() => hooked.receiver.got.length === 2);
  await hooked.node.call(`POST /api/webhooks/${id}/replay`, { as: "member", body: replay });
  await change({ role: "viewer" });
  never.resolve(new Response("ok"));
  await settled();
  expect(hooked.receiver.got).toHaveLength(2);
  for (const route of ["test", "replay"]) {
    const answer = await call(`POST /api/webhooks/${id}/${route}`, route === "replay" ? replay : undefined);
    expect([answer.status, answer.body.code]).toEqual([409, "webhook_paused"]);
  }
});

test("an admin takes it over, and nobody else: then it is theirs", async () => {
  const id = await makeAsMember();
  await change({ disabled: true });
  const events = () => hooked.node.events.filter(({ name }) => name.startsWith("webhook.")).map(({ name }) => name);
  expect((await hooked.node.call(`POST /api/webhooks/${id}/take-over`, { as: "viewer" })).status).toBe(403);
  expect((await call("POST /api/webhooks/none/take-over")).body.code).toBe("webhook_not_found");
  await emit();
  expect(heard()).toEqual([]);
  const answer = await call(`POST /api/webhooks/${id}/take-over`);
  expect([answer.status, answer.body.url]).toEqual([200, hooked.receiver.url]);
  await emit();
  expect(heard()).toEqual(["app.started"]);
  await hooked.node.ctx.bus.idle();
  expect(events()).toEqual(["webhook.created", "webhook.taken_over"]);
  const [line] = (await call("GET /api/audit/logs?action=webhook.taken_over")).body;
  expect(line.resource).toBe(`webhook:${id}`);
});

/** How often admins were told until now that it is paused. */
async function pausesTold(): Promise<number> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  await hooked.node.ctx.bus.idle();
  return hooked.node.events.filter(({ name }) => name === "webhook.paused").length;
}

test("admins are told once that it is paused", async () => {
  hooked.node.ctx.webhooks.start();
  await makeAsMember();
  await change({ role: "viewer" });
  await change({ disabled: true });
  expect(await pausesTold()).toBe(1);
  const told = JSON.stringify((await call("GET /api/inbox")).body);
  expect(told.match(/The webhook to [^"]+ is paused/g)).toHaveLength(1);
});

test("nothing is told of one that is switched off: it sends nothing anyway", async () => {
  hooked.node.ctx.webhooks.start();
  const id = await makeAsMember();
  await hooked.node.call(`PUT /api/webhooks/${id}`, { as: "member", body: { active: false } });
  await change({ disabled: true });
  expect(await pausesTold()).toBe(0);
  expect((await call(`PUT /api/webhooks/${id}`, { active: true })).status).toBe(200);
  hooked.node.ctx.accessChanges.changed();
  expect(await pausesTold()).toBe(1);
});

test("admins are told anew when its maker was back meanwhile, and when whoever took it over may not have it either", async () => {
  hooked.node.ctx.webhooks.start();
  const id = await makeAsMember();
  await change({ disabled: true });
  expect(await pausesTold()).toBe(1);
  await change({ disabled: false });
  await pausesTold();
  await change({ disabled: true });
  expect(await pausesTold()).toBe(2);
  const second = await withSecondAdmin(hooked.node);
  expect((await second.call(`POST /api/webhooks/${id}/take-over`)).status).toBe(200);
  await call(`PATCH /api/users/${second.id}`, { role: "viewer" });
  expect(await pausesTold()).toBe(3);
});

test("what waits for one that is paused is forgotten with its month", async () => {
  const id = await makeAsMember();
  hooked.receiver.answer = failing(503);
  await emit();
  await change({ disabled: true });
  await hooked.node.clock.advance(days(31));
  await hooked.node.ctx.jobs.run("webhooks.sweep");
  expect((await call(`GET /api/webhooks/${id}/deliveries`)).body).toEqual([]);
});

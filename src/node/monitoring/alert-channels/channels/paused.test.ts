import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeOutgoing, type FakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import { withSecondAdmin } from "../../../../../tests/kit/second-admin.ts";

let node: TestNode;
let world: FakeOutgoing;
beforeEach(() => {
  world = createFakeOutgoing();
  node = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const tell = (event_id: string) =>
  node.ctx.channels.enqueue({ kind: "fired", notice: makeNotice({ event_id }), channel_ids: "all" });
async function pass(): Promise<void> {
  await node.clock.advance(60_000);
  await node.ctx.jobs.run("alert-channels.deliver");
}
const heard = () =>
  world.requests.flatMap(({ body }) => JSON.parse(body).notices.map((one: { event_id: string }) => one.event_id));

test("a channel rests while its maker is no admin, and goes on when they are one again or another takes it over", async () => {
  const maker = await withSecondAdmin(node);
  const made = { name: "room", type: "webhook", config: { url: "https://a.example/in" } };
  const { id } = (await maker.call("POST /api/alerting/channels", made)).body;
  const state = async () => (await call(`GET /api/alerting/channels/${id}`)).body.state;
  const become = (body: object) => call(`PATCH /api/users/${maker.id}`, body);
  tell("evt_1");
  await become({ role: "member" });
  tell("evt_2");
  await pass();
  expect([heard(), await state()]).toEqual([[], "paused"]);
  const tested = await call(`POST /api/alerting/channels/${id}/test`);
  expect([tested.status, tested.body.code]).toEqual([409, "channel_paused"]);
  await become({ role: "admin" });
  await pass();
  expect([heard(), await state()]).toEqual([["evt_1"], "working"]);
  await call(`DELETE /api/users/${maker.id}`);
  tell("evt_3");
  await pass();
  expect([heard(), await state()]).toEqual([["evt_1"], "paused"]);
  expect((await node.call(`POST /api/alerting/channels/${id}/take-over`, { as: "member" })).status).toBe(403);
  expect((await call(`POST /api/alerting/channels/${id}/take-over`)).body.state).toBe("working");
  tell("evt_4");
  await pass();
  expect(heard()).toEqual(["evt_1", "evt_4"]);
});

test("whoever leads a channel to another address answers for it, whoever renames it does not", async () => {
  const other = await withSecondAdmin(node);
  const made = { name: "room", type: "webhook", config: { url: "https://a.example/in" } };
  const { id } = (await call("POST /api/alerting/channels", made)).body;
  const path = `/api/alerting/channels/${id}`;
  const state = async () => (await call(`GET ${path}`)).body.state;
  const become = (role: string) => call(`PATCH /api/users/${other.id}`, { role });
  await other.call(`PUT ${path}`, { name: "hall" });
  await become("member");
  expect(await state()).toBe("unused");
  await become("admin");
  await other.call(`PUT ${path}`, { config: { url: "https://b.example/in" } });
  await become("member");
  expect(await state()).toBe("paused");
});

test("that another one fails is not told to a channel that is paused", async () => {
  const maker = await withSecondAdmin(node);
  const hook = (name: string) => ({ name, type: "webhook", config: { url: `https://${name}.example/in` } });
  await maker.call("POST /api/alerting/channels", hook("paused"));
  await call("POST /api/alerting/channels", hook("broken"));
  await call("POST /api/alerting/channels", hook("well"));
  await call(`PATCH /api/users/${maker.id}`, { disabled: true });
  world.answer = ({ url }) => (url.includes("broken") ? { status: 500, body: "on fire" } : 200);
  tell("evt_1");
  for (let minute = 0; minute < 10; minute++) await pass();
  const told = world.requests.filter(({ body }) => body.includes("channel_failing")).map(({ url }) => url);
  expect(told).toEqual(["https://well.example/in"]);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeOutgoing, type FakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import type { Delivery, NoticeKind } from "../contract.ts";

let node: TestNode;
let world: FakeOutgoing;
beforeEach(() => {
  world = createFakeOutgoing();
  node = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const tell = (kind: NoticeKind) =>
  node.ctx.channels.enqueue({ kind, notice: makeNotice({ event_id: "evt_1" }), channel_ids: "all" });
async function pass(seconds: number): Promise<void> {
  await node.clock.advance(seconds * 1000);
  await node.ctx.jobs.run("alert-channels.deliver");
}
const trail = async (id: string): Promise<Delivery[]> =>
  (await call(`GET /api/alerting/channels/${id}/deliveries`)).body;
const health = () =>
  node.ctx.db.raw
    .query<{ wait: number; failures: number }, [number]>(
      "SELECT next_attempt_at - ? AS wait, failures FROM alert_channels",
    )
    .get(node.clock.now());

test("what a receiver asks for is a day at most, after a success as after a failure, in whole milliseconds", async () => {
  const bot = { name: "t", type: "telegram", config: { chat_id: "1" }, secret: `123456:${"A".repeat(30)}` };
  const { id } = (await call("POST /api/alerting/channels", bot)).body;
  const busy = (wait: string) => ({ status: 429, body: `{"ok":false,"parameters":{"retry_after":${wait}}}` });
  world.answer = () => ({ status: 200, body: '{"ok":true}', headers: { "retry-after": "1e300" } });
  tell("fired");
  await pass(30);
  await pass(3);
  expect([world.requests.length, health()]).toEqual([1, { wait: 86_397_000, failures: 0 }]);
  world.answer = () => busy("61.00005");
  tell("resolved");
  await pass(86_397);
  expect(health()).toEqual({ wait: 61_001, failures: 1 });
  world.answer = () => busy("1e400");
  await pass(62);
  expect(health()).toEqual({ wait: 86_400_000, failures: 2 });
  world.answer = () => ({ status: 500, body: "{}", headers: { "retry-after": "1e300" } });
  expect((await call(`POST /api/alerting/channels/${id}/test`)).body).toMatchObject({ ok: false, code: 500 });
  expect(health()).toEqual({ wait: 86_400_000, failures: 2 });
  expect((await trail(id)).map(({ status }) => status)).toEqual(["failed", "failed", "failed", "delivered"]);
});

test("an attempt whose success cannot be written down counts as a failure, with its pause", async () => {
  const hook = { name: "a", type: "webhook", config: { url: "https://a.example/in" } };
  const { id } = (await call("POST /api/alerting/channels", hook)).body;
  node.ctx.db.raw.run(
    "CREATE TRIGGER odd BEFORE UPDATE ON alert_channels WHEN NEW.failures = 0 BEGIN SELECT RAISE(ABORT, 'odd'); END",
  );
  tell("fired");
  await pass(30);
  await pass(9);
  expect([world.requests.length, health()]).toEqual([1, { wait: 1_000, failures: 1 }]);
  expect((await trail(id))[0]).toMatchObject({
    status: "failed",
    code: 200,
    provider_text: "Something failed inside; the log has the cause.",
  });
  node.ctx.db.raw.run("DROP TRIGGER odd");
  await pass(1);
  expect(world.requests).toHaveLength(2);
  expect((await call(`GET /api/alerting/channels/${id}`)).body).toMatchObject({ state: "working", queued: 0 });
});

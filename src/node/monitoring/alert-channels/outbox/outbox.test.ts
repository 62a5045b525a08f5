import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFakeOutgoing, type FakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import type { Delivery, NoticeKind } from "../contract.ts";
import { releaseClaims } from "./drain.ts";

let node: TestNode;
let world: FakeOutgoing;
beforeEach(() => {
  world = createFakeOutgoing();
  node = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const addHook = async (name: string, url = `https://${name}.example/in`): Promise<string> =>
  (await call("POST /api/alerting/channels", { name, type: "webhook", config: { url } })).body.id;
const tell = (kind: NoticeKind, event_id = "evt_1", channel_ids: string[] | "all" = "all") =>
  node.ctx.channels.enqueue({ kind, notice: makeNotice({ event_id }), channel_ids });
const run = () => node.ctx.jobs.run("alert-channels.deliver");
async function pass(seconds: number): Promise<void> {
  await node.clock.advance(seconds * 1000);
  await run();
}
const channel = async (id: string) => (await call(`GET /api/alerting/channels/${id}`)).body;
const trail = async (id: string): Promise<Delivery[]> =>
  (await call(`GET /api/alerting/channels/${id}/deliveries`)).body;
const arrived = () =>
  world.requests.map(({ body }) =>
    (JSON.parse(body).notices as { kind: string; event_id: string; note: string }[]).map(
      ({ kind, event_id, note }) => `${kind} ${event_id}${note && `: ${note}`}`,
    ),
  );

test("everything within five seconds is one message, in order; what comes later is another", async () => {
  await addHook("a");
  tell("fired", "evt_1");
  await pass(3);
  tell("fired", "evt_2");
  expect(world.requests).toHaveLength(0);
  await pass(2);
  expect(arrived()).toEqual([["fired evt_1", "fired evt_2"]]);
  tell("resolved", "evt_1");
  await pass(4);
  expect(world.requests).toHaveLength(1);
  await pass(1);
  expect(arrived()[1]).toEqual(["resolved evt_1"]);
});

test("a channel hears once that an event fired and once that it is over, and only what it was told of", async () => {
  const a = await addHook("a");
  const b = await addHook("b");
  tell("resolved", "evt_0");
  tell("fired", "evt_1", [a, "chn_gone"]);
  tell("fired", "evt_1", [a]);
  await pass(30);
  for (const _ of [1, 2]) tell("resolved", "evt_1");
  await pass(30);
  tell("resolved", "evt_1");
  tell("fired", "evt_1", [a]);
  await pass(30);
  expect(arrived()).toEqual([["fired evt_1"], ["resolved evt_1"]]);
  expect(await trail(b)).toEqual([]);
});

test("a notice lives and dies with the transaction it is queued in", async () => {
  await addHook("a");
  expect(() =>
    node.ctx.db.tx(() => {
      tell("fired");
      throw new Error("no");
    }),
  ).toThrow("no");
  await pass(30);
  expect(world.requests).toEqual([]);
});

test("a fire whose end is queued too becomes one message that says so", async () => {
  await addHook("a");
  world.answer = () => "connect";
  tell("fired");
  await pass(30);
  tell("reminder");
  tell("resolved");
  world.answer = () => 200;
  await pass(10);
  expect(arrived()[1]).toEqual(["resolved evt_1: It fired and ended before this could be told."]);
});

test("retries keep their times, say that they are late, and stop when it works", async () => {
  const id = await addHook("a");
  world.answer = () => 503;
  tell("fired");
  await pass(30);
  const times: number[] = [];
  for (const wait of [10, 60, 300, 900, 3600]) {
    await pass(wait - 1);
    times.push(world.requests.length);
    await pass(1);
    times.push(world.requests.length);
  }
  expect(times).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
  expect(await channel(id)).toMatchObject({ state: "failing", queued: 1, failing_since: "2026-01-01T00:00:30.000Z" });
  world.answer = () => 200;
  await pass(3600);
  expect(arrived().at(-1)).toEqual(["fired evt_1: Delayed 2 h 21 min."]);
  expect(await channel(id)).toMatchObject({ state: "working", queued: 0, failing_since: null, last_error: null });
  const attempts = await trail(id);
  expect(attempts.map(({ attempt, status, code }) => `${attempt} ${status} ${code}`)).toEqual([
    "7 delivered 200",
    ...[6, 5, 4, 3, 2, 1].map((attempt) => `${attempt} failed 503`),
  ]);
  expect((await call("GET /api/alerting/deliveries?event_id=evt_1")).body).toEqual(attempts);
  const page = (await call(`GET /api/alerting/channels/${id}/deliveries?limit=3&cursor=${attempts[1]?.id}`)).body;
  expect(page).toEqual(attempts.slice(2, 5));
});

test("a repetition carries the same id, other notices another one", async () => {
  await addHook("a");
  world.answer = () => 500;
  tell("fired");
  await pass(30);
  await pass(10);
  tell("fired", "evt_2");
  await pass(60);
  const ids = world.requests.map(({ headers }) => headers?.["x-orrery-message-id"]);
  expect(ids[0]).toBe(ids[1] ?? "");
  expect(ids[2]).not.toBe(ids[1] ?? "");
});

test("after a day without success a notice is given up, not before, and not while the node was off", async () => {
  const id = await addHook("a");
  world.answer = () => "connect";
  tell("fired");
  await pass(3 * 86_400);
  expect(await channel(id)).toMatchObject({ queued: 1 });
  for (let hour = 0; hour < 18; hour++) await pass(3600);
  expect(await channel(id)).toMatchObject({ queued: 1 });
  await pass(3600);
  expect(await channel(id)).toMatchObject({ queued: 0, state: "failing" });
  const count = world.requests.length;
  await pass(86_400);
  expect(world.requests).toHaveLength(count);
});

test("a wrong clock neither drops what waits nor stops it for years", async () => {
  await addHook("a");
  world.answer = () => "connect";
  node.clock.jump(10 * 365 * 86_400_000);
  tell("fired");
  await pass(30);
  node.clock.jump(-10 * 365 * 86_400_000);
  world.answer = () => 200;
  await pass(1);
  expect(arrived().at(-1)).toEqual(["fired evt_1"]);
});

describe("limits of the provider", () => {
  test("429 is waited out to the second, whatever the schedule says", async () => {
    const { id } = (
      await call("POST /api/alerting/channels", {
        name: "t",
        type: "telegram",
        config: { chat_id: "1" },
        secret: "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ",
      })
    ).body;
    const refusal = { ok: false, error_code: 429, description: "Too Many Requests: retry after 45" };
    world.answer = () => ({ status: 429, body: JSON.stringify({ ...refusal, parameters: { retry_after: 45 } }) });
    tell("fired");
    await pass(30);
    world.answer = () => ({ status: 200, body: '{"ok":true,"result":{}}' });
    await pass(44);
    expect(world.requests).toHaveLength(1);
    await pass(1);
    expect(world.requests).toHaveLength(2);
    const said = (await trail(id)).map(({ code, provider_text }) => [code, provider_text]);
    expect(said).toEqual([
      [200, "ok"],
      [429, "Too Many Requests: retry after 45"],
    ]);
  });

  test("two messages to one chat keep their distance", async () => {
    await call("POST /api/alerting/channels", {
      name: "d",
      type: "discord",
      secret: "https://discord.example/api/webhooks/1/secret",
    });
    tell("fired", "evt_1");
    await pass(30);
    for (let i = 2; i <= 102; i++) tell("fired", `evt_${i}`);
    await pass(30);
    await pass(1);
    expect(world.requests).toHaveLength(2);
    await pass(1);
    expect(world.requests).toHaveLength(3);
  });

  test("formatting that is refused goes once more as plain text", async () => {
    const { id } = (
      await call("POST /api/alerting/channels", { name: "s", type: "slack", secret: "https://slack.example/secret" })
    ).body;
    world.answer = ({ body }) =>
      String(body).includes('"mrkdwn":true') ? { status: 400, body: "invalid_payload" } : 200;
    tell("fired");
    await pass(30);
    expect((await trail(id)).map(({ status, plain }) => [status, plain])).toEqual([
      ["delivered", true],
      ["failed", false],
    ]);
    expect((await channel(id)).state).toBe("working");
  });

  test("one notice that is refused for ever does not stop those behind it", async () => {
    const id = await addHook("a");
    world.answer = ({ body }) => (String(body).includes("evt_bad") ? 422 : 200);
    tell("fired", "evt_bad");
    tell("fired", "evt_good");
    await pass(30);
    for (let i = 0; i < 5; i++) await pass(3600);
    expect(arrived().at(-1)?.[0]).toStartWith("fired evt_good");
    expect(await channel(id)).toMatchObject({ queued: 1 });
    await pass(3600);
    expect(await channel(id)).toMatchObject({ state: "working", queued: 0 });
    tell("fired", "evt_next");
    await pass(30);
    expect(arrived().at(-1)).toEqual(["fired evt_next"]);
  });
});

test("a receiver that refuses everything for hours costs nothing", async () => {
  const id = await addHook("a");
  world.answer = () => 400;
  tell("fired", "evt_1");
  tell("fired", "evt_2");
  await pass(30);
  for (let i = 0; i < 9; i++) await pass(3600);
  world.answer = () => 200;
  for (let i = 0; i < 3; i++) await pass(3600);
  expect(await channel(id)).toMatchObject({ state: "working", queued: 0 });
  const trailOf = async (event: string) => (await call(`GET /api/alerting/deliveries?event_id=${event}`)).body;
  expect((await trailOf("evt_1")).filter(({ status }: Delivery) => status === "delivered")).toHaveLength(1);
  expect((await trailOf("evt_2")).filter(({ status }: Delivery) => status === "delivered")).toHaveLength(1);
});

test("refusals after a long outage are counted from the first, not from the outage", async () => {
  const id = await addHook("a");
  world.answer = () => "connect";
  tell("fired");
  await pass(30);
  for (let i = 0; i < 8; i++) await pass(3600);
  world.answer = () => 400;
  await pass(3600);
  await pass(3600);
  expect(await channel(id)).toMatchObject({ queued: 1 });
  world.answer = () => 200;
  await pass(3600);
  expect(await channel(id)).toMatchObject({ queued: 0, state: "working" });
});

describe("a channel that fails three times in a row", () => {
  test("is told about on the dashboard and on one other channel, and once more when it works again", async () => {
    const broken = await addHook("broken");
    await addHook("spare");
    await addHook("third");
    world.answer = ({ url }) => (url.includes("broken") ? { status: 500, body: "on fire" } : 200);
    tell("fired", "evt_1", [broken]);
    for (const wait of [30, 10, 60, 30, 300]) await pass(wait);
    await node.ctx.bus.idle();
    const failing = node.events.filter(({ name }) => name === "channel.failing");
    expect(failing.map(({ data }) => data)).toMatchObject([{ channel_id: broken, error: "on fire", queued: 1 }]);
    const told = () =>
      world.requests
        .filter(({ url }) => !url.includes("broken"))
        .map(({ url, body }) => [url, JSON.parse(body).subject]);
    expect(told()).toEqual([["https://spare.example/in", "Warning: Alert channel failing on broken"]]);
    world.answer = () => 200;
    await pass(3600);
    await pass(30);
    expect(told()[1]).toEqual(["https://spare.example/in", "Resolved: Alert channel failing on broken"]);
    expect(told()).toHaveLength(2);
    expect(node.events.filter(({ name }) => name === "channel.recovered")).toHaveLength(1);
  });

  test("that is alone is told about on the dashboard only", async () => {
    await addHook("only");
    world.answer = () => "timeout";
    tell("fired");
    for (const wait of [30, 10, 60, 300, 900]) await pass(wait);
    await node.ctx.bus.idle();
    expect(node.events.filter(({ name }) => name === "channel.failing")).toHaveLength(1);
  });
});

describe("the test button", () => {
  const press = async (id: string) => (await call(`POST /api/alerting/channels/${id}/test`)).body;

  test("sends at once, through the template, and shows what the provider said", async () => {
    const id = await addHook("a");
    world.answer = () => ({ status: 200, body: "welcome" });
    await call("PUT /api/alerting/templates", { kind: "fired", channel_type: "webhook", subject: "My {{rule_name}}" });
    const answer = await press(id);
    expect(answer).toMatchObject({ ok: true, code: 200, provider_text: "welcome" });
    expect(JSON.parse(world.requests[0]?.body ?? "").subject).toBe("My Test message");
    expect((await trail(id))[0]).toMatchObject({ id: answer.delivery_id, test: true, status: "delivered" });
    expect((await channel(id)).state).toBe("working");
  });

  test("neither retries nor pages others, and does not take along what waits", async () => {
    const id = await addHook("a");
    await addHook("b");
    tell("fired", "evt_1", [id]);
    world.answer = () => ({ status: 404, body: "nobody here" });
    for (let i = 0; i < 4; i++) {
      expect(await press(id)).toMatchObject({ ok: false, code: 404, provider_text: "nobody here" });
    }
    expect(await channel(id)).toMatchObject({ state: "unused", last_error: "nobody here", queued: 1 });
    world.answer = () => 200;
    await pass(30);
    await pass(60);
    expect(world.requests).toHaveLength(5);
    expect(arrived().at(-1)).toEqual(["fired evt_1"]);
  });

  test("never repeats the secret or the path of an address that the provider quotes", async () => {
    const secret = "https://hooks.example/services/T0/very-secret";
    const { id } = (await call("POST /api/alerting/channels", { name: "s", type: "slack", secret })).body;
    world.answer = () => ({ status: 404, body: `no_service at ${secret} (/services/T0/very-secret)` });
    expect((await press(id)).provider_text).toBe("no_service at [hidden] ([hidden])");
    world.answer = ({ url }) => ({ status: 404, body: `no ${url} (/hidden-path, tok-12345)` });
    const hook = await addHook("a", "https://a.example/hidden-path?key=tok-12345");
    expect((await press(hook)).provider_text).toBe("no [hidden] ([hidden], [hidden])");
    const dump = JSON.stringify(node.ctx.db.raw.query("SELECT * FROM alert_deliveries, alert_channels").all());
    expect(dump).not.toContain("very-secret");
  });

  test("a success sets free what waited for the next attempt", async () => {
    const id = await addHook("a");
    world.answer = () => 500;
    tell("fired");
    await pass(30);
    for (const wait of [10, 60, 300]) await pass(wait);
    world.answer = () => 200;
    await press(id);
    await pass(1);
    expect(await channel(id)).toMatchObject({ state: "working", queued: 0 });
  });
});

test("a channel that is switched off drops what waits and is passed over", async () => {
  const id = await addHook("a");
  tell("fired");
  await call(`PUT /api/alerting/channels/${id}`, { enabled: false });
  tell("fired", "evt_2");
  await call(`PUT /api/alerting/channels/${id}`, { enabled: true });
  await pass(60);
  expect(world.requests).toEqual([]);
});

test("the trail outlives its channel for 30 days; the beginning of what goes on is kept", async () => {
  const id = await addHook("a");
  await addHook("b");
  tell("fired", "evt_long");
  tell("fired", "evt_1");
  await pass(30);
  tell("resolved", "evt_1");
  await pass(30);
  await call(`DELETE /api/alerting/channels/${id}`);
  expect((await call("GET /api/alerting/deliveries?event_id=evt_1")).body).toHaveLength(4);
  await node.clock.advance(31 * 86_400_000);
  await node.ctx.jobs.run("alert-channels.prune");
  expect((await call("GET /api/alerting/deliveries?event_id=evt_1")).body).toEqual([]);
  const kept = node.ctx.db.raw.query("SELECT event_id FROM alert_outbox").all();
  expect(kept).toEqual([{ event_id: "evt_long" }]);
  tell("resolved", "evt_long");
  await pass(30);
  expect(arrived().at(-1)).toEqual(["resolved evt_long"]);
});

test("what a killed run had begun is marked and sent again", async () => {
  const id = await addHook("a");
  tell("fired");
  const never = Promise.withResolvers<number>();
  world.answer = () => never.promise;
  await node.clock.advance(30_000);
  void run();
  await Bun.sleep(0);
  expect((await trail(id)).map(({ status }) => status)).toEqual(["sending"]);
  const again = createTestNode({ session_rate: "1000000" }, node, { outgoing: world });
  world.answer = () => 200;
  releaseClaims(again.ctx);
  await again.ctx.jobs.run("alert-channels.deliver");
  expect((await trail(id)).map(({ status }) => status)).toEqual(["delivered", "interrupted"]);
  expect(arrived()).toEqual([["fired evt_1"], ["fired evt_1"]]);
  again.close();
});

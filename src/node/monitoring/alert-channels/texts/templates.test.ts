import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeOutgoing, type FakeOutgoing } from "../../../../../tests/kit/fake-outgoing.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import type { Template } from "../contract.ts";

let node: TestNode;
let world: FakeOutgoing;
beforeEach(() => {
  world = createFakeOutgoing();
  node = createTestNode({ session_rate: "1000000" }, undefined, { outgoing: world });
});
afterEach(() => node.close());

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const put = (body: object) => call("PUT /api/alerting/templates", { kind: "fired", channel_type: "slack", ...body });
const preview = (body: object) =>
  call("POST /api/alerting/templates/preview", { kind: "fired", channel_type: "telegram", ...body });

test("there is a text for every kind and channel type, and a list of what it may name", async () => {
  const { body } = await node.call("GET /api/alerting/templates", { as: "viewer" });
  expect(body.templates).toHaveLength(20);
  expect(body.templates.every(({ is_custom }: Template) => !is_custom)).toBe(true);
  expect(body.variables).toContainEqual({ name: "value", meaning: "Value now, with its unit" });
});

test("an own text replaces one, part by part, until it is taken back", async () => {
  expect((await put({ subject: "Look: {{message}}" })).body).toMatchObject({ is_custom: true });
  expect((await put({ body: "{{value}}" })).body).toMatchObject({ subject: "Look: {{message}}", body: "{{value}}" });
  expect((await preview({ channel_type: "slack" })).body.subject).toBe("Look: The disk at / is filling up.");
  expect((await preview({})).body.subject).toBe("Critical: Disk almost full on /");
  expect((await put({})).body).toMatchObject({
    is_custom: false,
    subject: "{{severity}}: {{rule_name}} on {{entity_name}}",
  });
});

test("unknown variables are refused with the list of known ones", async () => {
  for (const text of [{ subject: "{{nope}}" }, { body: "a {{ constructor }}" }, { subject: "{{value | upper}}" }]) {
    for (const answer of [await put(text), await preview(text)]) {
      expect([answer.status, answer.body.code]).toEqual([400, "template_variable_unknown"]);
      expect(answer.body.message).toContain("severity, rule_name");
    }
  }
});

test("a preview shows words and payload, from a made-up or a real alert", async () => {
  const made = await preview({ subject: "<{{entity_name}}>", body: "{{link}}" });
  expect(made.body.subject).toBe("</>");
  expect(JSON.parse(made.body.payload).text).toStartWith("<b>&lt;/&gt;</b>");
  expect((await preview({ event_id: "evt_7" })).body.code).toBe("notice_not_found");
  await call("POST /api/alerting/channels", { name: "w", type: "webhook", config: { url: "https://x.example/" } });
  const notice = makeNotice({ event_id: "evt_7", entity_name: "/srv" });
  node.ctx.channels.enqueue({ kind: "fired", notice, channel_ids: "all" });
  expect((await preview({ event_id: "evt_7" })).body.subject).toBe("Critical: Disk almost full on /srv");
  node.ctx.channels.enqueue({ kind: "resolved", notice, channel_ids: "all" });
  const { recent_events } = (await call("GET /api/alerting/templates")).body;
  expect(recent_events).toEqual([{ event_id: "evt_7", title: "Resolved: Disk almost full on /srv" }]);
  expect(world.requests).toEqual([]);
});

test("a port that the system chose is in links as soon as it is known", async () => {
  const link = async () => (await preview({ body: "{{link}}" })).body.body;
  node.ctx.listening.port = 0;
  expect(await link()).toBe("");
  node.ctx.listening.port = 41_234;
  expect(await link()).toBe("http://127.0.0.1:41234/alerts?tab=events&event=evt_sample");
});

test("links begin with the address that the admin gave", async () => {
  const link = async () => (await preview({ body: "{{link}}" })).body.body;
  expect(await link()).toBe("http://127.0.0.1:8420/alerts?tab=events&event=evt_sample");
  node.ctx.settings.put({ "alerting.public_url": "https://home.example/" });
  expect(await link()).toBe("https://home.example/alerts?tab=events&event=evt_sample");
  expect(() => node.ctx.settings.put({ "alerting.public_url": "javascript:alert(1)" })).toThrow();
});

test("what is queued keeps its words when the text changes", async () => {
  await call("POST /api/alerting/channels", { name: "s", type: "slack", secret: "https://x.example/secret" });
  node.ctx.channels.enqueue({ kind: "fired", notice: makeNotice(), channel_ids: "all" });
  await put({ subject: "changed" });
  await node.clock.advance(31_000);
  await node.ctx.jobs.run("alert-channels.deliver");
  expect(world.requests[0]?.body).toContain("Disk almost full");
});

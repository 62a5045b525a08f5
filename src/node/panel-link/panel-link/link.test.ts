import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { linkOwn } from "../../../../tests/kit/link-own.ts";
import { createLinkPanel, type LinkPanel } from "../../../../tests/kit/link-panel.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { days, hours, minutes, seconds } from "../../../lib/duration.ts";
import { agentFail, serialOf } from "../../../shared/agent-protocol/index.ts";
import { openCredentials } from "./credentials.ts";
import { findLink, type LinkRow } from "./link-store.ts";
import { type Conversation, converse } from "./talk/conversation.ts";
import { LinkChanged } from "./talk/held-link.ts";

let node: TestNode;
let panel: LinkPanel;
let talk: Conversation | null = null;

beforeEach(async () => {
  panel = await createLinkPanel();
  node = createTestNode();
  node.clock.jump(panel.clock.now() - node.clock.now());
});
afterEach(async () => {
  talk?.close();
  talk = null;
  await panel.away();
  node.close();
});

const admin = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const status = async () => (await admin("GET /api/cp/status")).body;
const connect = (line = panel.line()) => admin("POST /api/cp/connect", { line });
const row = (): LinkRow => findLink(node.ctx.db) ?? (undefined as never);

/** Goes on with the link as the running node does; a new conversation each time it is asked for. */
function begin(): Conversation {
  talk?.close();
  talk = converse(linkOwn(node.ctx), row());
  return talk;
}
const lastHeard = () => panel.heard.at(-1);
/** Time passes for both. */
function pass(ms: number): void {
  node.clock.jump(ms);
  panel.clock.jump(ms);
}

describe("connecting", () => {
  test("registers, seals what is secret, and takes the plan", async () => {
    expect((await status()).phase).toBe("none");
    const { status: code, body } = await connect();
    expect(code).toBe(200);
    expect(body).toMatchObject({
      phase: "connecting",
      panel_url: "https://panel.example",
      agent_url: `https://127.0.0.1:${panel.port()}`,
      plan: "pro",
      plan_from: "panel",
      certificate_ends_soon: false,
    });
    expect(node.ctx.panelLink.state()).toMatchObject({
      tenant_id: "ten_a",
      plan: "pro",
      instance_id: body.instance_id,
    });
    expect(node.ctx.panelLink.state()?.secret).toBe(panel.fleet.node(body.instance_id)?.secret ?? "none");
    const stored = JSON.stringify(node.ctx.db.raw.query("SELECT * FROM panel_link").all());
    expect(stored).not.toContain("PRIVATE KEY");
    expect(stored).not.toContain(node.ctx.panelLink.state()?.secret ?? "none");
    expect((await node.call("GET /api/auth/cp-status")).body).toEqual({
      connected: true,
      panel_url: "https://panel.example",
      sign_in_available: true,
    });
  });

  test("a wrong line, a used token, another's pin and an absent panel are told apart, and nothing changes", async () => {
    const line = panel.line();
    expect(await connect("--panel x")).toMatchObject({ status: 400, body: { code: "panel_line_invalid" } });
    const pin = `sha256:${"00".repeat(32)}`;
    const mismatch = await connect(line.replace(/--pin .*/, `--pin ${pin}`));
    expect(mismatch).toMatchObject({ status: 422, body: { code: "panel_refused" } });
    expect(mismatch.body.message).toContain("pin");
    expect(panel.fleet.nodes()).toEqual([]);
    const unknown = await connect(line.replace(/--token \S+/, `--token ${"x".repeat(40)}`));
    expect(unknown.body.message).toContain("unknown, used up or expired");
    await panel.away();
    expect(await connect(line)).toMatchObject({ status: 502, body: { code: "panel_unreachable" } });
    expect(findLink(node.ctx.db)).toBeNull();
    expect((await status()).plan_from).toBe("configuration");
  });

  test("a node belongs to one panel; leaving forgets its key and its plan", async () => {
    await connect();
    expect(await connect()).toMatchObject({ status: 409, body: { code: "panel_connected" } });
    const { body } = await admin("POST /api/cp/disconnect");
    expect(body).toMatchObject({ phase: "none", plan: "community", plan_from: "configuration", agent_url: null });
    expect(row()).toMatchObject({ credentials: "", secret: "", license_token: "" });
    expect(await admin("POST /api/cp/disconnect")).toMatchObject({ status: 409 });
    expect((await connect()).body.plan).toBe("pro");
  });

  test("an address of the panel that is no page's is not taken, nor one that stands in the database", async () => {
    const web = ["https://[", "javascript:alert(document.cookie)", "https://me:secret@panel.example"];
    for (const hostile of [...web, "http://10.0.0.7:2375", "https://localhost", "https://panel.example/stop?by="]) {
      panel.pageUrl = hostile;
      expect((await connect()).body).toMatchObject({ phase: "connecting", panel_url: null });
      node.ctx.db.raw.query("UPDATE panel_link SET panel_url = ?").run(hostile);
      expect((await status()).panel_url).toBeNull();
      expect((await node.call("GET /api/auth/cp-status")).body).toMatchObject({
        panel_url: null,
        sign_in_available: false,
      });
      await admin("POST /api/cp/disconnect");
    }
  });

  test("is for admins", async () => {
    for (const route of ["GET /api/cp/status", "POST /api/cp/connect", "POST /api/cp/disconnect"]) {
      const { status: code } = await node.call(route, { as: "member", body: route.startsWith("GET") ? undefined : {} });
      expect([route, code]).toEqual([route, 403]);
    }
  });
});

describe("heartbeats", () => {
  beforeEach(async () => void (await connect()));

  test("take another address of the panel's pages, and none that leads to what only this server reaches", async () => {
    const { beat } = begin();
    const told = async (pageUrl: string) => {
      panel.pageUrl = pageUrl;
      await beat();
      return (await status()).panel_url;
    };
    expect(await told("https://panel.example.org/")).toBe("https://panel.example.org");
    for (const inside of [
      "http://192.168.0.9:9200",
      "https://localhost:2019",
      "https://[fd00::1]",
      "https://panel.example.org/?x=",
    ])
      expect(await told(inside)).toBe("https://panel.example.org");
    // Where the agent port is, the pages may be as well.
    expect(await told("http://127.0.0.1:8430")).toBe("http://127.0.0.1:8430");
  });

  test("obey the panel's pace and say what is new only once", async () => {
    const { beat, forgetHeard } = begin();
    expect(await beat()).toBe(seconds(20));
    expect(lastHeard()).toMatchObject({
      status: "ok",
      version: "1.2.3",
      license_id: "pro-ten_a",
      ca_id: panel.authority.bundle().id,
      inventory: { os: expect.any(String), cpu_cores: expect.any(Number), cloud_provider: null },
      apps: [],
    });
    expect(await status()).toMatchObject({ phase: "connected", last_error: null });
    await beat();
    expect(lastHeard()).not.toHaveProperty("inventory");
    for (let third = 0; third < 3; third++) {
      expect(lastHeard()).not.toHaveProperty("apps");
      await node.clock.advance(seconds(20));
      await beat();
    }
    expect(lastHeard()).toHaveProperty("apps");
    expect(lastHeard()).not.toHaveProperty("inventory");
    forgetHeard();
    await beat();
    expect(lastHeard()).toHaveProperty("inventory");
  });

  test("an absent panel is tried again, ever later up to a minute, and told everything when it is back", async () => {
    const { beat } = begin();
    await beat();
    await panel.away();
    const waits = [];
    for (let i = 0; i < 8; i++) waits.push(await beat());
    // The test's random number is one half, which makes three quarters of each step.
    expect(waits).toEqual([1.5, 3, 6, 12, 24, 45, 45, 45].map(seconds));
    expect(await status()).toMatchObject({
      phase: "retrying",
      last_error: expect.stringContaining("cannot be reached"),
    });
    expect(node.ctx.plan()).toBe("pro");
    await panel.back();
    expect(await beat()).toBe(seconds(20));
    expect(lastHeard()).toHaveProperty("inventory");
    expect((await status()).phase).toBe("connected");
  });

  test("a failing panel is not the end of anything", async () => {
    panel.fault = () => new Error("inside");
    const { beat } = begin();
    expect(await beat()).toBe(seconds(1.5));
    expect(await status()).toMatchObject({ phase: "retrying" });
    panel.fault = null;
    expect(await beat()).toBe(seconds(20));
  });

  test("a changed plan is in force with the answer, and on record", async () => {
    const gated = () => node.call("GET /api/cost/summary", { as: "admin" });
    const { beat } = begin();
    await beat();
    panel.plan = "community";
    await beat();
    expect(node.ctx.plan()).toBe("community");
    panel.plan = "business";
    await beat();
    expect(node.ctx.plan()).toBe("business");
    expect((await gated()).status).not.toBe(402);
    const changes = node.events.filter(({ name }) => name === "panel.plan_changed").map(({ data }) => data);
    expect(changes).toMatchObject([
      { before: "pro", plan: "community" },
      { before: "community", plan: "business" },
    ]);
  });

  test("a license outlives its end by 14 days, then the plan is community", async () => {
    pass(days(30) - 1000);
    expect(node.ctx.plan()).toBe("pro");
    pass(minutes(2));
    await node.clock.advance(minutes(1));
    expect(await status()).toMatchObject({ plan: "pro", license_in_grace: true });
    pass(days(14));
    await node.clock.advance(minutes(1));
    expect(await status()).toMatchObject({ plan: "community", plan_from: "panel" });
  });

  test("a clock that is off by more than a minute is told", async () => {
    const { beat } = begin();
    node.clock.jump(seconds(50));
    await beat();
    expect((await status()).clock_ahead_seconds).toBeNull();
    node.clock.jump(seconds(-170));
    await beat();
    expect((await status()).clock_ahead_seconds).toBe(-120);
    await beat();
    expect(node.events.filter(({ name }) => name === "panel.clock_skewed")).toHaveLength(1);
  });

  test("deleted on the panel, the node stops and says so", async () => {
    const { beat } = begin();
    await beat();
    panel.fleet.deleteNode(row().instance_id);
    expect(await beat()).toBeNull();
    expect(await status()).toMatchObject({
      phase: "deleted",
      last_error: expect.stringContaining("deleted from its fleet"),
      plan: "community",
      next_try_at: null,
    });
    expect(node.ctx.panelLink.state()).toBeNull();
    expect((await node.call("GET /api/auth/cp-status")).body.connected).toBe(false);
    expect(node.events.at(-1)).toMatchObject({ name: "panel.ended", data: { reason: "deleted" } });
    expect((await connect()).status).toBe(200);
    expect(await begin().beat()).toBe(seconds(20));
  });

  test("a bare 403 is no end: the node waits, says so, and gets back in", async () => {
    const { beat } = begin();
    await beat();
    panel.fault = () => agentFail("node_deleted");
    expect(await beat()).toBeGreaterThan(0);
    expect(await status()).toMatchObject({
      phase: "retrying",
      plan: "pro",
      last_error: expect.stringContaining("deleted"),
    });
    for (let tries = 0; tries < 3; tries++) expect(await beat()).toBeGreaterThan(0);
    panel.fault = () => agentFail("certificate_superseded", { word: "eyJ9.e30.AA" });
    for (let tries = 0; tries < 2; tries++) expect(await beat()).toBeGreaterThan(0);
    panel.fault = null;
    // What the end of a former connection said may count as the next answer.
    await until(async () => (await beat()) === seconds(20));
  });

  test("a signed word of before says nothing about a node that registered again", async () => {
    const { beat } = begin();
    await beat();
    const { instance_id, credentials } = row();
    const { current } = openCredentials(node.ctx.seal, credentials);
    const serial = serialOf(new X509Certificate(current.certificate));
    panel.fleet.deleteNode(instance_id);
    const word = (await panel.fleet.directory.testify({ nodeId: instance_id, serial }, "deleted")) ?? "";
    expect(await beat()).toBeNull();
    await connect();
    const again = begin();
    expect(await again.beat()).toBe(seconds(20));
    panel.fault = () => agentFail("node_deleted", { word });
    for (let tries = 0; tries < 2; tries++) expect(await again.beat()).toBeGreaterThan(0);
    expect((await status()).phase).toBe("retrying");
  });

  test("one whose place another connection took says so and waits: it may be a copy", async () => {
    const { beat } = begin();
    await beat();
    const copy = converse(linkOwn(node.ctx), row());
    await copy.beat();
    const wait = await until(async () => [await beat()].find((ms) => ms !== seconds(20)));
    // Half a minute by the test's random number, where any other failure waits two seconds at first.
    expect(wait).toBe(seconds(30));
    expect(await status()).toMatchObject({ phase: "retrying", last_error: expect.stringContaining("a copy of this") });
    copy.close();
    expect(await beat()).toBe(seconds(20));
  });

  test("a conversation whose link was taken away ends", async () => {
    const { beat } = begin();
    await admin("POST /api/cp/disconnect");
    expect(await beat().catch((error) => error)).toBeInstanceOf(LinkChanged);
  });
});

describe("certificates", () => {
  beforeEach(async () => void (await connect()));
  const serial = () => panel.fleet.node(row().instance_id)?.certificate.serial;
  const isPending = () => panel.fleet.node(row().instance_id)?.pending !== null;
  const renewNow = () => node.ctx.db.raw.run("UPDATE panel_link SET renew_at = 0");

  test("are renewed in time, with another key, and the former one goes with the first use of the new", async () => {
    const before = { serial: serial(), sealed: row().credentials, end: row().certificate_end };
    await begin().beat();
    expect(serial()).toBe(before.serial);
    renewNow();
    await begin().beat();
    expect(isPending()).toBe(false);
    expect(serial()).not.toBe(before.serial);
    expect(row().credentials).not.toBe(before.sealed);
    expect(row().certificate_end).toBeGreaterThanOrEqual(before.end);
    expect(row().renew_at).toBeGreaterThan(node.clock.now());
    expect(await begin().beat()).toBe(seconds(20));
  });

  test("whatever answer is lost on the way, the node gets back in", async () => {
    renewNow();
    // The renewal gets through, the heartbeat after it does not; then the node is started anew.
    panel.fault = () => new Error("lost");
    await begin().beat();
    panel.fault = null;
    expect(await begin().beat()).toBe(seconds(20));
    expect(await begin().beat()).toBe(seconds(20));
  });

  test("one that is not accepted yet does not lose the one that is", async () => {
    await begin().beat();
    // By the panel's clock it begins in 55 minutes, which TLS finds out by the real one.
    pass(hours(1));
    renewNow();
    const { beat } = begin();
    expect(await beat()).toBe(seconds(1.5));
    expect(isPending()).toBe(true);
    expect(await beat()).toBe(seconds(20));
    expect(isPending()).toBe(true);
    expect(await beat()).toBe(seconds(20));
  });

  test("one that the panel has replaced for good needs a new token, and keeps its plan", async () => {
    const { beat } = begin();
    await beat();
    const known = panel.fleet.node(row().instance_id);
    if (known) known.certificate = { ...known.certificate, serial: "AB" };
    expect(await beat()).toBeNull();
    expect(await status()).toMatchObject({ phase: "needs_new_token", plan: "pro", plan_from: "panel" });
    expect((await connect()).status).toBe(200);
    expect(await begin().beat()).toBe(seconds(20));
  });

  test("a new root is taken up from the answer", async () => {
    const { beat } = begin();
    await beat();
    const before = row().ca_bundle;
    await panel.authority.beginRotation("root");
    await beat();
    expect(row().ca_bundle).not.toBe(before);
    expect(row().ca_bundle).toBe(panel.authority.bundle().pem);
    await beat();
    expect(lastHeard()?.ca_id).toBe(panel.authority.bundle().id);
  });
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { linkOwn } from "../../../../tests/kit/link-own.ts";
import { createLinkPanel, type LinkPanel } from "../../../../tests/kit/link-panel.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { type PanelIdentity, signIdentity } from "../../../shared/panel-identity/index.ts";
import { readConnectLine } from "../panel-link/enrolment/connect-line.ts";
import { findLink } from "../panel-link/link-store.ts";
import { converse } from "../panel-link/talk/conversation.ts";

const PAGE = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", accept: "text/html" };
const HOST = { by: "host", ip: "" };
let node: TestNode;
let first: LinkPanel;
let second: LinkPanel;

beforeEach(async () => {
  [first, second] = await Promise.all([createLinkPanel(), createLinkPanel()]);
  node = createTestNode();
  node.clock.jump(first.clock.now() - node.clock.now());
  // Who owns the server is there before anybody comes over a panel.
  await node.tokenOf("admin");
  await connect(first);
});
afterEach(async () => {
  node.close();
  await Promise.all([first.away(), second.away()]);
});

const connect = (panel: LinkPanel) => node.ctx.panelLink.connect(readConnectLine(panel.line()), HOST);
const disconnect = () => node.call("POST /api/cp/disconnect", { as: "admin" });

let told = 0;
async function visit(more: Partial<PanelIdentity> = {}, headers: Record<string, string> = {}) {
  const link = node.ctx.panelLink.state();
  if (!link) throw new Error("the node is not linked");
  const identity = { account_id: "acc_ada", email: "ada@example.org", name: "Ada", role: "org_owner", ...more };
  const whole = { tenant_id: link.tenant_id, id: `idt_${++told}`, ...identity };
  const token = await signIdentity(link.secret, link.instance_id, whole, node.clock.now());
  return node.call(`GET /api/cp/session?token=${encodeURIComponent(token)}`, { headers });
}
const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Somebody who came over the panel and made themselves a key. */
async function comeIn(more: Partial<PanelIdentity> = {}) {
  const cookie = cookiesOf((await visit(more)).headers);
  const origin = { cookie, origin: "http://localhost", host: "localhost" };
  const key = await node.call("POST /api/keys", { headers: origin, body: { name: "mine" } });
  const statusOf = async (route: string, headers: Record<string, string>, body?: unknown) =>
    (await node.call(route, { headers, body })).status;
  return {
    me: () => node.call("GET /api/auth/me", { headers: { cookie } }),
    refresh: () => statusOf("POST /api/auth/refresh", origin, {}),
    useKey: () => statusOf("GET /api/users", { "x-api-key": key.body.key }),
  };
}
type Listed = { username: string; disabled: boolean; role: string };
const visitors = async (): Promise<Listed[]> =>
  (await node.call("GET /api/users", { as: "admin" })).body.filter(({ username }: Listed) =>
    username.startsWith("ada"),
  );
const namesOf = () => node.events.map(({ name }) => name);

test("who came over a panel is out once the server has left it, with all that let them in", async () => {
  const ada = await comeIn();
  expect([(await ada.me()).status, await ada.useKey()]).toEqual([200, 200]);
  expect((await node.call("GET /api/cp/status", { as: "admin" })).body.people).toBe(1);
  const { status, body } = await disconnect();
  expect([status, body.people, body.ended]).toEqual([200, 0, { people: 1, sessions: 1, ways: expect.any(Object) }]);
  expect(body.ended.ways).toMatchObject({ keys: 1 });
  expect([(await ada.me()).status, await ada.refresh(), await ada.useKey()]).toEqual([401, 401, 401]);
  expect(await visitors()).toMatchObject([{ username: "ada@example.org", disabled: true }]);
  const [event] = node.events.filter(({ name }) => name === "panel.people_ended");
  expect(event?.data).toMatchObject({ people: 1, sessions: 1, ended: { keys: 1 } });
  // Whoever owns the server goes on.
  expect((await node.call("GET /api/auth/me", { as: "admin" })).status).toBe(200);
});

test("a panel that deletes the server has nobody left on it", async () => {
  const ada = await comeIn();
  const row = findLink(node.ctx.db) ?? (undefined as never);
  const talk = converse(linkOwn(node.ctx), row);
  await talk.beat();
  first.fleet.deleteNode(row.instance_id);
  expect(await talk.beat()).toBeNull();
  talk.close();
  expect([(await ada.me()).status, await ada.useKey()]).toEqual([401, 401]);
  expect(namesOf()).toContain("panel.people_ended");
});

test("another panel in its place brings people of its own, whatever it calls them", async () => {
  const ada = await comeIn();
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET ended = 'needs_new_token'"));
  await connect(second);
  expect([(await ada.me()).status, await ada.refresh(), await ada.useKey()]).toEqual([401, 401, 401]);
  const other = await comeIn();
  expect((await other.me()).body.username).not.toBe("ada@example.org");
  const listed = await visitors();
  expect(listed.map(({ disabled }) => disabled)).toEqual([true, false]);
});

test("a panel that calls the root of another one its own is not that one", async () => {
  const ada = await comeIn();
  const claimed = first.authority.bundle().pem + second.authority.bundle().pem;
  const sql = "UPDATE panel_link SET ca_bundle = ?, ended = 'needs_new_token'";
  node.ctx.db.tx(() => node.ctx.db.raw.run(sql, [claimed]));
  await connect(second);
  expect([(await ada.me()).status, await ada.refresh(), await ada.useKey()]).toEqual([401, 401, 401]);
});

test("the same panel with a new token changes nothing for its people", async () => {
  const ada = await comeIn();
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET ended = 'needs_new_token'"));
  await connect(first);
  expect([(await ada.me()).status, await ada.useKey()]).toEqual([200, 200]);
});

test("who comes back over the same panel has their account again, and nothing of what let them in before", async () => {
  const ada = await comeIn();
  await disconnect();
  await connect(first);
  const again = await comeIn();
  expect((await again.me()).body.username).toBe("ada@example.org");
  expect([(await ada.me()).status, await ada.useKey()]).toEqual([401, 401]);
  expect(await visitors()).toMatchObject([{ disabled: false }]);
});

test("everybody comes back over the same panel, however long it takes to put them out", async () => {
  const people = ["ada-1", "ada-2", "ada-3"].map((name) => ({ account_id: name, email: `${name}@example.org` }));
  for (const person of people) await comeIn(person);
  const { now } = node.clock;
  let passed = 0;
  node.clock.now = () => now() + ++passed;
  await disconnect();
  await connect(first);
  const came = [];
  for (const person of people) came.push((await visit(person)).status);
  expect(came).toEqual([302, 302, 302]);
});

test("whom an admin here had switched off stays so", async () => {
  const ada = await comeIn();
  const { id } = (await ada.me()).body;
  await node.call(`PATCH /api/users/${id}`, { as: "admin", body: { disabled: true } });
  await node.clock.advance(1_000);
  await disconnect();
  await connect(first);
  expect((await visit()).body.code).toBe("panel_user_disabled");
});

test.each([
  ["left its panel", false],
  ["left its panel and came back to it", true],
])("an arrival that waits for its button is over once the server has %s", async (_, comesBack) => {
  const owner = `access_token=${await node.tokenOf("admin")}`;
  const asked = await visit({}, { ...PAGE, cookie: owner });
  const path = /href="(\/api\/cp\/session[^"]*)"/.exec(asked.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const cookie = `${owner}; ${cookiesOf(asked.headers)}`;
  await disconnect();
  if (comesBack) await connect(first);
  const pressed = await node.call(`GET ${path}`, { headers: { cookie } });
  expect([pressed.status, pressed.body.code]).toEqual([401, "panel_token_refused"]);
  expect(await visitors()).toEqual([]);
});

/** A sign-in that has gone to the panel's page, where `answer` trades its code; `end` is its way back. */
async function begin(answer: () => Promise<Response>) {
  const page = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  const tell = (url: string) => node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET panel_url = ?", [url]));
  tell(page.url.href);
  const { headers } = await node.call("GET /api/oauth/start", { headers: { host: "localhost:8420" } });
  const state = new URL(headers.get("location") ?? "").searchParams.get("state") ?? "";
  const end = () =>
    node.call(`GET /api/oauth/callback?state=${state}&code=x`, { headers: { cookie: cookiesOf(headers) } });
  return { end, tellAgain: () => tell(page.url.href), close: () => page.stop(true) };
}

test.each([
  ["left its panel", false],
  ["left its panel and came back to it", true],
])("what the panel answers once the server has %s lets nobody in", async (_, comesBack) => {
  const { secret, instance_id, tenant_id } = node.ctx.panelLink.state() ?? (undefined as never);
  const ada = { account_id: "acc_ada", email: "ada@example.org", name: "Ada", role: "org_owner" };
  const token = await signIdentity(secret, instance_id, { ...ada, tenant_id, id: "idt_late" }, node.clock.now());
  const { end, close } = await begin(async () => {
    await disconnect();
    if (comesBack) await connect(first);
    return Response.json({ access_token: token });
  });
  const ended = await end();
  await close();
  expect([ended.status, ended.body.code]).toEqual([401, "panel_token_refused"]);
  expect(await visitors()).toEqual([]);
});

test("a sign-in that began by a link that is over asks no panel any more", async () => {
  let asked = 0;
  const { end, tellAgain, close } = await begin(async () => Response.json({ asked: ++asked }));
  await disconnect();
  await connect(first);
  tellAgain();
  const ended = await end();
  await close();
  expect([ended.status, ended.body.code, asked]).toEqual([400, "panel_state_wrong", 0]);
});

test("a server whose admins all came over the panel is not left without one by a press, but from the host", async () => {
  const ada = await comeIn();
  const { id } = (await ada.me()).body;
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE users SET disabled_at = 'now' WHERE id <> ?", [id]));
  expect(() => node.ctx.panelLink.disconnect({ by: id, ip: "" })).toThrow("Every admin");
  expect((await ada.me()).status).toBe(200);
  node.ctx.panelLink.disconnect(HOST);
  expect((await ada.me()).status).toBe(401);
});

test("people of a panel that was left before they were known to end are out at the next start", async () => {
  const ada = await comeIn();
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET ended = 'deleted'"));
  node.ctx.panelLink.start?.();
  expect([(await ada.me()).status, await ada.useKey()]).toEqual([401, 401]);
});

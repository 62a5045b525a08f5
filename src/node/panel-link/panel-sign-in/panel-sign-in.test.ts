import { afterEach, beforeEach, expect, test } from "bun:test";
import { createLinkPanel, type LinkPanel } from "../../../../tests/kit/link-panel.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { type PanelIdentity, signIdentity } from "../../../shared/panel-identity/index.ts";
import { readConnectLine } from "../panel-link/enrolment/connect-line.ts";

const HTML = { accept: "text/html", host: "localhost:8420" };
let node: TestNode;
let panel: LinkPanel;

beforeEach(async () => {
  panel = await createLinkPanel();
  node = createTestNode();
  node.clock.jump(panel.clock.now() - node.clock.now());
  await node.ctx.panelLink.connect(readConnectLine(panel.line()), { by: "host", ip: "" });
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET panel_url = 'https://panel.example.org/'"));
});
afterEach(async () => {
  node.close();
  await panel.away();
});

let told = 0;
async function tokenFor(more: Partial<PanelIdentity> = {}, secret?: string): Promise<string> {
  const link = node.ctx.panelLink.state();
  if (!link) throw new Error("the node is not linked");
  const identity = { account_id: "acc_ada", email: "ada@example.org", name: "Ada", role: "org_owner", ...more };
  const whole = { tenant_id: link.tenant_id, id: `idt_${++told}`, ...identity };
  return signIdentity(secret ?? link.secret, link.instance_id, whole, node.clock.now());
}
const visit = (token: string, headers: Record<string, string> = {}) =>
  node.call(`GET /api/cp/session?token=${encodeURIComponent(token)}`, { headers });
const accessOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("access_token="))
    ?.split(";")[0] ?? "";

test("a token of the panel opens a session, once, as what the person is there", async () => {
  const token = await tokenFor();
  const first = await visit(token);
  expect([first.status, first.headers.get("location")]).toEqual([302, "/"]);
  const me = await node.call("GET /api/auth/me", { headers: { cookie: accessOf(first.headers) } });
  expect(me.body).toMatchObject({ username: "ada@example.org", role: "admin" });
  const second = await visit(token);
  expect([second.status, second.body.code]).toEqual([401, "panel_token_refused"]);
  expect(node.events.filter(({ name }) => name === "auth.signed_in")).toHaveLength(1);
});

test("a link may name a page of this node, and none of another's", async () => {
  const open = async (next: string) =>
    node.call(`GET /api/cp/session?token=${encodeURIComponent(await tokenFor())}&next=${encodeURIComponent(next)}`);
  expect((await open("/drive?q=shop")).headers.get("location")).toBe("/drive?q=shop");
  for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "/a\nb", ""])
    expect((await open(next)).status).toBe(400);
});

test("who only looks where a link leads does not use it up", async () => {
  const path = `/api/cp/session?token=${encodeURIComponent(await tokenFor())}`;
  const looked = await node.fetch(new Request(`http://localhost${path}`, { method: "HEAD" }));
  expect([looked.status, looked.headers.get("location"), looked.headers.getSetCookie()]).toEqual([302, "/", []]);
  expect(accessOf((await node.call(`GET ${path}`)).headers)).not.toBe("");
});

test("the same person is the same user; roles decide who gets in as what", async () => {
  await visit(await tokenFor());
  await visit(await tokenFor());
  await visit(await tokenFor({ account_id: "acc_bob", email: "bob@example.org", role: "org_viewer" }));
  const teacher = await visit(await tokenFor({ account_id: "acc_tim", email: "tim@example.org", role: "org_teacher" }));
  expect(teacher.body.code).toBe("panel_said_no");
  const { body } = await node.call("GET /api/users", { as: "admin" });
  const roles = body.filter(({ username }: { username: string }) => username.includes("@example.org"));
  expect(roles.map(({ username, role }: { username: string; role: string }) => [username, role])).toEqual([
    ["ada@example.org", "admin"],
    ["bob@example.org", "viewer"],
  ]);
});

test("another role in the workspace is another role here at the next visit, and until then what an admin here said holds", async () => {
  const roleOf = async () =>
    (await node.call("GET /api/users", { as: "admin" })).body.find(
      ({ username }: { username: string }) => username === "ada@example.org",
    );
  await visit(await tokenFor());
  const { id } = await roleOf();
  await node.call(`PATCH /api/users/${id}`, { as: "admin", body: { role: "member" } });
  await visit(await tokenFor());
  expect(await roleOf()).toMatchObject({ id, role: "member" });
  await visit(await tokenFor({ role: "org_viewer" }));
  expect(await roleOf()).toMatchObject({ id, role: "viewer" });
  await visit(await tokenFor({ role: "org_admin" }));
  expect(await roleOf()).toMatchObject({ id, role: "admin" });
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE users SET disabled_at = 'now' WHERE id <> ?", [id]));
  const last = await visit(await tokenFor({ role: "org_viewer" }));
  expect([last.status, last.body.code]).toEqual([403, "panel_said_no"]);
});

test("a minute is a minute of the panel, whatever this server's clock says", async () => {
  node.ctx.panelLink.note({ aheadMs: -600_000 });
  const early = await tokenFor();
  expect((await visit(early)).status).toBe(401);
  node.ctx.panelLink.note({ aheadMs: 600_000 });
  await node.clock.advance(600_000);
  expect((await visit(early)).status).toBe(302);
});

test("two windows of a newcomer are one person", async () => {
  const answers = await Promise.all([visit(await tokenFor()), visit(await tokenFor())]);
  expect(answers.map(({ status }) => status)).toEqual([302, 302]);
  const { body } = await node.call("GET /api/users", { as: "admin" });
  expect(body.filter(({ username }: { username: string }) => username.startsWith("ada"))).toHaveLength(1);
});

test("an account of the same name is somebody else", async () => {
  await node.call("POST /api/users", { as: "admin", body: { username: "ada@example.org", role: "viewer" } });
  const { headers } = await visit(await tokenFor());
  const me = await node.call("GET /api/auth/me", { headers: { cookie: accessOf(headers) } });
  expect(me.body.role).toBe("admin");
  expect(me.body.username).toMatch(/^ada@example\.org-[a-z0-9]{6}$/);
});

test("late, foreign, forged and disabled are refused, and a browser is told on the sign-in page", async () => {
  const late = await tokenFor();
  await node.clock.advance(63_000);
  expect((await visit(late)).status).toBe(401);
  expect((await visit(await tokenFor({ tenant_id: "ten_other" }))).body.code).toBe("panel_token_refused");
  expect((await visit(await tokenFor({}, "another secret"))).body.code).toBe("panel_token_refused");
  const browser = await visit("nothing", HTML);
  expect([browser.status, browser.headers.get("location")]).toEqual([302, "/?refused=panel_token_refused"]);
  await visit(await tokenFor());
  const { body } = await node.call("GET /api/users", { as: "admin" });
  const ada = body.find(({ username }: { username: string }) => username.startsWith("ada"));
  await node.call(`PATCH /api/users/${ada.id}`, { as: "admin", body: { disabled: true } });
  expect((await visit(await tokenFor())).body.code).toBe("panel_user_disabled");
});

test("a sign-in begins at an address of our own and ends only in the browser that began it", async () => {
  const start = await node.call("GET /api/oauth/start", { headers: HTML });
  const url = new URL(start.headers.get("location") ?? "");
  const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect(url.origin + url.pathname).toBe("https://panel.example.org/oauth/authorize");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    client_id: node.ctx.panelLink.state()?.instance_id ?? "",
    redirect_uri: "http://localhost:8420/api/oauth/callback",
    code_challenge_method: "S256",
  });
  const state = url.searchParams.get("state") ?? "";
  const foreign = await node.call(`GET /api/oauth/callback?state=${state}&code=x`);
  expect([foreign.status, foreign.body.code]).toEqual([400, "panel_state_wrong"]);
  const again = await node.call(`GET /api/oauth/callback?state=${state}&code=x`, { headers: { cookie } });
  expect(again.body.code).toBe("panel_state_wrong");
  const elsewhere = await node.call("GET /api/oauth/start", { headers: { host: "evil.example.org" } });
  expect([elsewhere.status, elsewhere.body.code]).toEqual([409, "panel_address_unknown"]);
  expect((await node.call("GET /api/oauth/start?next=//evil.example.org", { headers: HTML })).status).toBe(400);
});

test("a node without a panel, or one whose panel told no address, says which way is left", async () => {
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET panel_url = NULL"));
  const start = await node.call("GET /api/oauth/start");
  expect([start.status, start.body.code]).toEqual([409, "panel_not_linked"]);
  expect((await node.call("GET /api/auth/cp-status")).body.sign_in_available).toBe(false);
  const token = await tokenFor();
  node.ctx.panelLink.disconnect({ by: "host", ip: "" });
  expect((await visit(token)).body.code).toBe("panel_not_linked");
});

test("no at the panel, and a panel that is away, are said plainly", async () => {
  const begin = async () => {
    const start = await node.call("GET /api/oauth/start", { headers: HTML });
    const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return { cookie, state: new URL(start.headers.get("location") ?? "").searchParams.get("state") ?? "" };
  };
  const denied = await begin();
  const no = await node.call(`GET /api/oauth/callback?state=${denied.state}&error=access_denied`, {
    headers: { cookie: denied.cookie },
  });
  expect([no.status, no.body.code]).toEqual([403, "panel_said_no"]);
  node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET panel_url = 'http://127.0.0.1:9'"));
  const lost = await begin();
  const away = await node.call(`GET /api/oauth/callback?state=${lost.state}&code=x`, {
    headers: { cookie: lost.cookie },
  });
  expect([away.status, away.body.code]).toEqual([502, "panel_away"]);
});

test("what answers in the panel's place is heard by nobody, and is asked for one path alone", async () => {
  const asked: string[] = [];
  const other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(`${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`);
      return Response.json({ error: "key 1234 of root@db-01", message: "key 1234" }, { status: 400 });
    },
  });
  const comeBack = async (place: string) => {
    node.ctx.db.tx(() => node.ctx.db.raw.run("UPDATE panel_link SET panel_url = ?", [place]));
    const start = await node.call("GET /api/oauth/start", { headers: HTML });
    const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const state = new URL(start.headers.get("location") ?? "", "http://localhost").searchParams.get("state") ?? "none";
    return node.call(`GET /api/oauth/callback?state=${state}&code=x`, { headers: { cookie } });
  };
  const told = await comeBack(other.url.origin);
  expect([told.status, told.body.params, asked]).toEqual([
    403,
    { reason: "it answered 400" },
    ["POST /api/oauth/token"],
  ]);
  await comeBack(`${other.url.origin}/stop?by=`);
  // A name that its owner lets lead into this server.
  const name = await comeBack(`http://sink.localhost:${other.port}`);
  await other.stop(true);
  expect([name.body.message.includes("127.0.0.1"), asked]).toEqual([false, ["POST /api/oauth/token"]]);
});

const PAGE = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", accept: "text/html" };
const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };

test.each<[string, Record<string, string>]>([
  ["an image", { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }],
  ["a frame", { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", accept: "text/html" }],
  ["a script of a page", { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" }],
  ["an image over plain http", { ...BROWSER, accept: "image/avif,image/webp,*/*;q=0.8" }],
  ["a script over plain http", { ...BROWSER, accept: "*/*" }],
])("%s on some page signs nobody in and uses no token up", async (_what, headers) => {
  const token = await tokenFor();
  const refused = await visit(token, headers);
  expect([refused.status === 403 || refused.headers.get("location") === "/?refused=panel_not_a_page"]).toEqual([true]);
  expect(refused.headers.getSetCookie()).toEqual([]);
  const opened = await visit(token, { ...BROWSER, ...PAGE });
  expect([opened.status, accessOf(opened.headers) === ""]).toEqual([302, false]);
});

const cookieOf = (headers: Headers, name: string): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";")[0] ?? "";

test("whoever else is signed in is asked first, also after a quarter of an hour, and stays unless they press the button", async () => {
  const owner = `access_token=${await node.tokenOf("admin")}`;
  await node.clock.advance(16 * 60_000);
  const token = await tokenFor({ email: '"<b>"@example.org' });
  const asked = await visit(token, { ...PAGE, cookie: owner });
  expect([asked.status, asked.headers.get("content-type"), accessOf(asked.headers)]).toEqual([
    200,
    "text/html; charset=utf-8",
    "",
  ]);
  expect(asked.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(asked.body).toContain("signed in to this server as admin");
  expect(asked.body).not.toContain("<b>");
  const path = /href="(\/api\/cp\/session[^"]*)"/.exec(asked.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const elsewhere = await node.call(`GET ${path}`, { headers: PAGE });
  expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([302, "/?refused=panel_token_refused"]);
  const cookie = `${owner}; ${cookieOf(asked.headers, "panel_arrival")}`;
  const pressed = await node.call(`GET ${path}`, { headers: { ...PAGE, cookie } });
  expect([pressed.status, pressed.headers.get("location")]).toEqual([302, "/"]);
  const me = await node.call("GET /api/auth/me", { headers: { cookie: accessOf(pressed.headers) } });
  expect(me.body.role).toBe("admin");
  expect(me.body.username).not.toBe("admin");
  const again = await node.call(`GET ${path}`, { headers: { ...PAGE, cookie } });
  expect(again.headers.get("location")).toBe("/?refused=panel_token_refused");
});

test("whoever is signed in with cookies that the page alone is sent is asked first, and has left once the button is pressed", async () => {
  await node.tokenOf("admin");
  const { session_id, refresh_token } = node.ctx.sessions.begin("usr_admin", { ip: "127.0.0.1", device: "x" });
  const hint = `signed_in=${session_id}~`;
  const asked = await visit(await tokenFor(), { ...PAGE, cookie: hint });
  expect(asked.body).toContain("signed in to this server as admin");
  const path = /href="(\/api\/cp\/session[^"]*)"/.exec(asked.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const cookie = `${hint}; ${cookieOf(asked.headers, "panel_arrival")}`;
  const pressed = await node.call(`GET ${path}`, { headers: { ...PAGE, cookie } });
  expect(accessOf(pressed.headers)).not.toBe("");
  expect((await node.call("POST /api/auth/refresh", { body: { refresh_token } })).status).toBe(401);
});

test("who is signed in as the same person already, or not any more, is not asked", async () => {
  const first = accessOf((await visit(await tokenFor(), PAGE)).headers);
  expect((await visit(await tokenFor(), { ...PAGE, cookie: first })).status).toBe(302);
  const owner = `access_token=${await node.tokenOf("admin")}`;
  await node.call("POST /api/auth/logout", { headers: { authorization: `Bearer ${owner.slice(13)}` } });
  expect((await visit(await tokenFor(), { ...PAGE, cookie: owner })).status).toBe(302);
});

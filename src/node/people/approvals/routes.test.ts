import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { addAccount, bearer, cookiesOf, from, logIn, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { requestApproval } from "./logic.ts";
import { createOpenRequests } from "./requests.ts";

let node: TestNode;
let token: string;
let userId: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  userId = (await addAccount(node, "ada@home")).id;
  token = (await logIn(node, "ada@home")).body.access_token;
});
afterEach(() => node.close());

let lastIp = 0;
/** A request from an address of its own, so that only the limit on the e-mail counts. */
const ask = (email = "ada@home", ip = `10.9.${lastIp >> 8}.${lastIp++ & 255}`) =>
  node.call("POST /api/auth/approve/request", {
    body: { email },
    headers: { ...from(ip), "user-agent": "Mozilla/5.0 (Android) Firefox/140" },
  });
const poll = (id: string) => node.call(`GET /api/auth/approve/${id}`);
const pending = async (as = token) =>
  (await node.call("GET /api/auth/approve/pending", { headers: bearer(as) })).body.requests;
const decide = (id: string, body: unknown, as = token) =>
  node.call(`POST /api/auth/approve/${id}/decide`, { headers: bearer(as), body });

test("the code is for the asking screen only; the answer shows up on signed-in devices", async () => {
  const { status, body } = await ask("ADA@home", "10.8.0.1");
  expect([status, Object.keys(body).sort()]).toEqual([200, ["code", "expires_at", "request_id"]]);
  expect(body.code).toMatch(/^\d{6}$/);
  expect(Date.parse(body.expires_at) - node.clock.now()).toBe(120_000);
  const [entry] = await pending();
  expect(entry).toEqual({
    id: expect.stringMatching(/^apr_/),
    device: "Firefox on Android",
    ip: "10.8.0.1",
    city: null,
    created_at: new Date(node.clock.now()).toISOString(),
    expires_at: body.expires_at,
  });
  expect(JSON.stringify(node.events)).not.toContain(body.code);
  expect((await poll(body.request_id)).body).toEqual({ status: "pending" });
});

test("what those know who may decide lets nobody fetch the session", async () => {
  const { request_id, code } = (await ask()).body;
  const [{ id }] = await pending();
  expect((await decide(id, { approve: true, code })).status).toBe(204);
  await node.ctx.bus.idle();
  expect((await poll(id)).body.code).toBe("approval_not_found");
  expect(JSON.stringify(node.events)).not.toContain(request_id);
  expect((await poll(request_id)).body.access_token).toBeString();
});

test("nothing about the account is asked until the answer is made, and devices hear of it afterwards", async () => {
  const heard = Promise.withResolvers<string>();
  node.ctx.bus.on("approval.requested", ({ user_id }) => heard.resolve(user_id));
  const query = spyOn(node.ctx.db.raw, "query");
  const deps = { ...node.ctx, open: createOpenRequests(node.ctx.clock) };
  requestApproval(deps, "nobody@home", { ip: "10.8.0.2", device: "x" });
  requestApproval(deps, "ada@home", { ip: "10.8.0.2", device: "x" });
  expect(query.mock.calls.filter(([sql]) => sql.includes("users"))).toEqual([]);
  await node.clock.advance(20);
  expect(await heard.promise).toBe(userId);
  query.mockRestore();
});

test("approved: the first poll carries the session, later ones do not", async () => {
  const { request_id, code } = (await ask()).body;
  expect((await decide(request_id, { approve: true, code })).status).toBe(204);
  const answers = await Promise.all(Array.from({ length: 50 }, () => poll(request_id)));
  const withSession = answers.filter(({ body }) => body.access_token !== undefined);
  expect(withSession).toHaveLength(1);
  expect(answers.every(({ body }) => body.status === "approved")).toBe(true);
  const [first] = withSession;
  if (!first) throw new Error("nobody got the session");
  expect(Object.keys(first.body).sort()).toEqual(["access_token", "status", "user"]);
  expect(first.body.user.id).toBe(userId);
  expect(Object.keys(cookiesOf(first)).sort()).toEqual(["access_token", "refresh_token", "signed_in"]);
  expect((await node.call("GET /api/auth/me", { headers: bearer(first.body.access_token) })).status).toBe(200);
  expect((await poll(request_id)).body).toEqual({ status: "approved" });
  expect(await pending()).toEqual([]);
});

test("an approval ends with the session that gave it", async () => {
  const { request_id, code } = (await ask()).body;
  const other = (await logIn(node, "ada@home")).body.access_token;
  expect((await decide(request_id, { approve: true, code })).status).toBe(204);
  await node.call("DELETE /api/auth/sessions", { headers: bearer(other) });
  expect((await poll(request_id)).body).toEqual({ status: "expired" });
});

test("who asks for the headers only leaves the session to who can take it", async () => {
  const { request_id, code } = (await ask()).body;
  await decide(request_id, { approve: true, code });
  const peek = await node.fetch(new Request(`http://localhost/api/auth/approve/${request_id}`, { method: "HEAD" }));
  expect([peek.status, peek.headers.getSetCookie()]).toEqual([200, []]);
  expect((await poll(request_id)).body.access_token).toBeString();
});

test.each([
  ["a page of another site", { origin: "http://evil.example" }],
  ["a page of another site, as the browser says", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
  ["a link in a message, over plain http", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }],
])("%s cannot make a browser take the session of an approved request", async (_who, headers) => {
  const { request_id, code } = (await ask()).body;
  await decide(request_id, { approve: true, code });
  const refused = await node.call(`GET /api/auth/approve/${request_id}`, { headers });
  expect([refused.status, refused.body.code, refused.headers.getSetCookie()]).toEqual([403, "csrf_refused", []]);
  const own = { headers: { "sec-fetch-site": "same-origin", accept: "*/*" } };
  expect((await node.call(`GET /api/auth/approve/${request_id}`, own)).body.access_token).toBeString();
});

test("a wrong code denies for good", async () => {
  const { request_id, code } = (await ask()).body;
  const wrong = code === "000000" ? "000001" : "000000";
  const answer = await decide(request_id, { approve: true, code: wrong });
  expect([answer.status, answer.body.code]).toEqual([400, "approval_code_wrong"]);
  expect((await poll(request_id)).body).toEqual({ status: "denied" });
  expect((await decide(request_id, { approve: true, code })).body.code).toBe("approval_closed");
  expect(node.events.map(({ name }) => name)).toContain("approval.code_wrong");
});

test("denied needs no code; a decision stands", async () => {
  const { request_id, code } = (await ask()).body;
  expect((await decide(request_id, { approve: false })).status).toBe(204);
  expect((await poll(request_id)).body).toEqual({ status: "denied" });
  const again = await decide(request_id, { approve: true, code });
  expect([again.status, again.body.code]).toEqual([409, "approval_closed"]);
});

test("after two minutes it is over", async () => {
  const { request_id, code } = (await ask()).body;
  await node.clock.advance(119_999);
  expect((await poll(request_id)).body).toEqual({ status: "pending" });
  await node.clock.advance(1);
  expect((await poll(request_id)).body).toEqual({ status: "expired" });
  expect(await pending()).toEqual([]);
  const late = await decide(request_id, { approve: true, code });
  expect([late.status, late.body.code]).toEqual([410, "approval_expired"]);
});

test("an approval that nobody fetches within a minute gives nothing", async () => {
  const { request_id, code } = (await ask()).body;
  await node.clock.advance(100_000);
  await decide(request_id, { approve: true, code });
  await node.clock.advance(59_999);
  expect((await ask()).status).toBe(200);
  await node.clock.advance(1);
  expect((await poll(request_id)).body).toEqual({ status: "expired" });
});

describe("who may decide", () => {
  test("only the user that is asked for", async () => {
    await addAccount(node, "eve");
    const eve = (await logIn(node, "eve")).body.access_token;
    const { request_id, code } = (await ask()).body;
    expect(await pending(eve)).toEqual([]);
    const answer = await decide(request_id, { approve: true, code }, eve);
    expect([answer.status, answer.body.code]).toEqual([404, "approval_not_found"]);
    expect((await poll(request_id)).body).toEqual({ status: "pending" });
  });

  test("nobody anonymous, no locked session, no API key", async () => {
    const { request_id, code } = (await ask()).body;
    const body = { approve: true, code };
    const path = `POST /api/auth/approve/${request_id}/decide`;
    expect((await node.call(path, { body })).status).toBe(401);
    const { key } = (await node.call("POST /api/keys", { headers: bearer(token), body: { name: "k" } })).body;
    const byKey = await node.call(path, { body, headers: { "x-api-key": key } });
    expect([byKey.status, byKey.body.code]).toEqual([403, "key_cannot_grant"]);
    await node.call("POST /api/auth/lock", { headers: bearer(token) });
    expect((await decide(request_id, body)).status).toBe(423);
    expect((await poll(request_id)).body).toEqual({ status: "pending" });
  });
});

describe("unknown addresses", () => {
  test("get the same answer, and nobody can approve it", async () => {
    const known = await ask();
    const unknown = await ask("nobody@home");
    expect(unknown.status).toBe(known.status);
    expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body));
    expect(unknown.body.request_id).toHaveLength(known.body.request_id.length);
    expect([...unknown.headers.keys()].sort()).toEqual([...known.headers.keys()].sort());
    expect((await poll(unknown.body.request_id)).body).toEqual({ status: "pending" });
    const { request_id, code } = unknown.body;
    expect((await decide(request_id, { approve: true, code })).status).toBe(404);
    expect(await pending()).toHaveLength(1);
  });

  test("and disabled accounts likewise", async () => {
    await addAccount(node, "off");
    node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE username = 'off'").run();
    expect((await ask("off")).status).toBe(200);
  });

  test("an account disabled after the approval gets no session", async () => {
    const { request_id, code } = (await ask()).body;
    await decide(request_id, { approve: true, code });
    node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE username = 'ada@home'").run();
    expect((await poll(request_id)).status).toBe(401);
  });
});

describe("limits", () => {
  test("ten in ten minutes from one address", async () => {
    for (let i = 0; i < 10; i++) expect((await ask(`user${i}`, "10.7.0.1")).status).toBe(200);
    const answer = await ask("user10", "10.7.0.1");
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([429, 600]);
    await node.clock.advance(600_000);
    expect((await ask("user10", "10.7.0.1")).status).toBe(200);
  });

  test.each(["ada@home", "nobody@home"])("five in ten minutes for %s, known or not", async (email) => {
    for (let i = 0; i < 5; i++) expect((await ask(email)).status).toBe(200);
    expect((await ask(email.toUpperCase())).status).toBe(429);
  });
});

test("unknown ids answer 404 everywhere", async () => {
  for (const route of ["GET /api/auth/approve/none", "GET /api/auth/approve/none/stream"]) {
    expect((await node.call(route)).status).toBe(404);
  }
  expect((await decide("none", { approve: false })).status).toBe(404);
});

test("the switch takes true and false only", async () => {
  const body = { "auth.approve_on_device": "maybe" };
  const answer = await node.call("PUT /api/settings", { headers: bearer(token), body });
  expect([answer.status, answer.body.code]).toEqual([400, "setting_invalid"]);
  const list = (await node.call("GET /api/settings", { headers: bearer(token) })).body;
  expect(list.find(({ key }: { key: string }) => key === "auth.approve_on_device")).toMatchObject({
    value: "true",
    type: "flag",
    scope: "settings",
  });
});

test("switched off, nobody can ask and the sign-in page does not offer it", async () => {
  node.ctx.settings.put({ "auth.approve_on_device": "false" });
  expect((await ask()).body.code).toBe("approvals_off");
  expect((await node.call("GET /api/auth/lock-info")).body.approve_enabled).toBe(false);
});

describe("the status stream", () => {
  const statuses = (text: string) =>
    [...text.matchAll(/^event: status\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));

  test("tells the change and ends, without a session", async () => {
    const { request_id, code } = (await ask()).body;
    const stream = node.call(`GET /api/auth/approve/${request_id}/stream`);
    await Bun.sleep(0);
    await decide(request_id, { approve: true, code });
    expect(statuses((await stream).body)).toEqual([{ status: "pending" }, { status: "approved" }]);
    expect((await poll(request_id)).body.access_token).toBeString();
  });

  test("ends with the request", async () => {
    const { request_id } = (await ask()).body;
    const stream = node.call(`GET /api/auth/approve/${request_id}/stream`);
    await Bun.sleep(0);
    await node.clock.advance(120_000);
    expect(statuses((await stream).body)).toEqual([{ status: "pending" }, { status: "expired" }]);
  });

  test("of a decided request tells it at once", async () => {
    const { request_id } = (await ask()).body;
    await decide(request_id, { approve: false });
    const { body } = await node.call(`GET /api/auth/approve/${request_id}/stream`);
    expect(statuses(body)).toEqual([{ status: "denied" }]);
  });
});

test.each([
  [{}, "email"],
  [{ email: "" }, "email"],
  [{ email: 7 }, "email"],
  [{ email: "a".repeat(257) }, "email"],
  [{ email: "a", extra: 1 }, "extra"],
])("%j is malformed", async (body, field) => {
  const answer = await node.call("POST /api/auth/approve/request", { body });
  expect([answer.status, answer.body.params.field]).toEqual([400, field]);
});

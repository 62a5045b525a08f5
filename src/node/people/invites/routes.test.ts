import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  addAccount,
  bearer,
  cookiesOf,
  from,
  logIn,
  MANY_ADDRESSES,
  PASSWORD,
  totpCode,
  turnTotpOn,
} from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "root");
  token = (await logIn(node, "root")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = token) => node.call(route, { headers: bearer(as), body });
const invite = () => call("POST /api/users/invites", { username: "ada", role: "member" });
let lastIp = 0;
const open = (route: string, body: unknown) => node.call(route, { body, headers: from(`10.1.0.${lastIp++ % 250}`) });
const accept = (invitation: string, password = PASSWORD) =>
  open("POST /api/auth/invites/accept", { token: invitation, password });

test("the link lets its owner choose a password, once", async () => {
  const { status, body } = await invite();
  expect(status).toBe(200);
  expect(body.link).toBe(`/invite#${body.token}`);
  expect(Date.parse(body.expires_at) - node.clock.now()).toBe(7 * 86_400_000);
  expect(JSON.stringify(node.ctx.db.raw.query("SELECT * FROM invites").all())).not.toContain(body.token);
  expect((await open("POST /api/auth/invites/look", { token: body.token })).body).toEqual({
    username: "ada",
    role: "member",
    expires_at: body.expires_at,
    lasting: { keys: 0, devices: 0, passkeys: 0, webdav: 0 },
  });

  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(body.token)));
  const done = answers.filter((answer) => answer.status === 200);
  expect(done).toHaveLength(1);
  expect(answers.filter((answer) => answer.body.code === "invite_refused")).toHaveLength(4);
  expect(done[0]?.body.user.username).toBe("ada");
  expect(Object.keys(done[0] ? cookiesOf(done[0]) : {}).sort()).toEqual(["access_token", "refresh_token", "signed_in"]);
  expect((await logIn(node, "ada")).body.access_token).toBeString();
});

test("an unusable password leaves the link good", async () => {
  const { body } = await invite();
  expect((await accept(body.token, "short")).body.code).toBe("password_unusable");
  expect((await accept(body.token)).status).toBe(200);
});

test("a new link replaces the old one and can reset a password", async () => {
  const first = (await invite()).body;
  const again = await call(`POST /api/users/${first.user.id}/invite`);
  expect(again.status).toBe(200);
  expect((await accept(first.token)).status).toBe(401);
  expect((await accept(again.body.token)).status).toBe(200);
  const session = (await logIn(node, "ada")).body.access_token;
  const reset = (await call(`POST /api/users/${first.user.id}/invite`)).body;
  expect((await logIn(node, "ada")).status).toBe(200);
  expect((await accept(reset.token, "another good phrase")).status).toBe(200);
  expect((await call("GET /api/auth/me", undefined, session)).status).toBe(401);
  expect((await logIn(node, "ada")).status).toBe(401);
});

test("after a week, or for a disabled account, the link is dead", async () => {
  const { body } = await invite();
  await call(`PATCH /api/users/${body.user.id}`, { disabled: true });
  expect((await accept(body.token)).status).toBe(401);
  await call(`PATCH /api/users/${body.user.id}`, { disabled: false });
  await node.clock.advance(7 * 86_400_000);
  expect((await accept(body.token)).status).toBe(401);
});

test.each([
  ["is no admin any more", (id: string) => call(`PATCH /api/users/${id}`, { role: "member" })],
  ["is switched off", (id: string) => call(`PATCH /api/users/${id}`, { disabled: true })],
  ["is removed", (id: string) => call(`DELETE /api/users/${id}`)],
])("a link that resets somebody's password opens nothing once whoever made it %s", async (_why, end) => {
  const { id: former } = await addAccount(node, "eve");
  const eve = (await logIn(node, "eve")).body.access_token;
  const { id: owner } = (await call("GET /api/auth/me")).body;
  const link = (await call(`POST /api/users/${owner}/invite`, undefined, eve)).body.token;
  expect((await open("POST /api/auth/invites/look", { token: link })).status).toBe(200);
  expect([200, 204]).toContain((await end(former)).status);
  expect((await open("POST /api/auth/invites/look", { token: link })).body.code).toBe("invite_refused");
  expect((await accept(link)).body.code).toBe("invite_refused");
  expect((await call("GET /api/auth/me")).status).toBe(200);
});

test("a link opens nothing when its maker is switched off while the password is stored", async () => {
  const { id: maker } = await addAccount(node, "eve");
  const eve = (await logIn(node, "eve")).body.access_token;
  const { id: owner } = (await call("GET /api/auth/me")).body;
  const link = (await call(`POST /api/users/${owner}/invite`, undefined, eve)).body.token;
  const { changePassword } = node.ctx.users;
  node.ctx.users.changePassword = (...given) => {
    node.ctx.users.change({ actor_id: owner, ip: "127.0.0.1" }, maker, { disabled: true });
    return changePassword(...given);
  };
  expect((await accept(link)).body.code).toBe("invite_refused");
});

test("nobody makes a link for their own account", async () => {
  const { id } = (await call("GET /api/auth/me")).body;
  const { status, body } = await call(`POST /api/users/${id}/invite`);
  expect([status, body.code]).toEqual([409, "invite_self"]);
});

test("links that somebody made for others end with their password", async () => {
  const { token: link } = (await invite()).body;
  const change = { current_password: PASSWORD, new_password: "another long phrase" };
  expect((await call("POST /api/auth/change-password", change)).status).toBe(200);
  expect((await open("POST /api/auth/invites/look", { token: link })).body.code).toBe("invite_refused");
});

test("links that somebody made end when they end all their other sessions", async () => {
  const { body } = await invite();
  expect((await call("DELETE /api/auth/sessions")).status).toBe(200);
  expect((await accept(body.token)).body.code).toBe("invite_refused");
});

test("a link ends with the session it was made in when that is ended from the list, and not when it signs out", async () => {
  const thief = (await logIn(node, "root")).body.access_token;
  const first = (await call("POST /api/users/invites", { username: "ada", role: "member" }, thief)).body.token;
  const own = (await call("POST /api/users/invites", { username: "bob", role: "member" })).body.token;
  const { body: sessions } = await call("GET /api/auth/sessions");
  const stolen = sessions.find((session: { current: boolean }) => !session.current);
  expect((await call(`DELETE /api/auth/sessions/${stolen.id}`)).status).toBe(200);
  expect((await open("POST /api/auth/invites/look", { token: first })).body.code).toBe("invite_refused");
  expect((await call("POST /api/auth/logout")).status).toBe(200);
  expect((await open("POST /api/auth/invites/look", { token: own })).status).toBe(200);
});

test("a link ends with the session it was made in when the token of that was stolen", async () => {
  const { access_token, refresh_token } = (await logIn(node, "root")).body;
  const link = (await call("POST /api/users/invites", { username: "ada", role: "member" }, access_token)).body.token;
  const refresh = () => node.call("POST /api/auth/refresh", { body: { refresh_token } });
  expect((await refresh()).status).toBe(200);
  expect((await open("POST /api/auth/invites/look", { token: link })).status).toBe(200);
  await node.clock.advance(60_000);
  expect((await refresh()).status).toBe(401);
  expect((await open("POST /api/auth/invites/look", { token: link })).body.code).toBe("invite_refused");
});

test("links that wait are listed with who made them, and withdrawn by anybody who may invite", async () => {
  const { body } = await invite();
  const { id: maker } = (await call("GET /api/auth/me")).body;
  const { body: waiting } = await call("GET /api/users/invites");
  const made_by = { id: maker, username: "root" };
  expect(waiting).toEqual([{ user_id: body.user.id, username: "ada", made_by, expires_at: body.expires_at }]);
  expect((await call(`DELETE /api/users/${body.user.id}/invite`)).status).toBe(204);
  expect((await call("GET /api/users/invites")).body).toEqual([]);
  expect((await accept(body.token)).body.code).toBe("invite_refused");
  const again = await call(`DELETE /api/users/${body.user.id}/invite`);
  expect([again.status, again.body.code]).toEqual([404, "invite_not_found"]);
});

test("a link that is too old or was used waits no more", async () => {
  const { body } = await invite();
  expect((await accept(body.token)).status).toBe(200);
  expect((await call("GET /api/users/invites")).body).toEqual([]);
  await call(`POST /api/users/${body.user.id}/invite`);
  await node.clock.advance(7 * 86_400_000);
  const root = (await logIn(node, "root")).body.access_token;
  expect((await call("GET /api/users/invites", undefined, root)).body).toEqual([]);
  expect((await call(`DELETE /api/users/${body.user.id}/invite`, undefined, root)).status).toBe(404);
});

test.each([{ role: "member" }, { disabled: true }])(
  "the links of an admin who was %j are gone for good",
  async (change) => {
    const { id } = await addAccount(node, "eve");
    const eve = (await logIn(node, "eve")).body.access_token;
    const link = (await call("POST /api/users/invites", { username: "ada", role: "member" }, eve)).body.token;
    await call(`PATCH /api/users/${id}`, change);
    expect((await call("GET /api/users/invites")).body).toEqual([]);
    await call(`PATCH /api/users/${id}`, { role: "admin", disabled: false });
    expect((await open("POST /api/auth/invites/look", { token: link })).body.code).toBe("invite_refused");
  },
);

test("nobody knows an invited account's password", async () => {
  await invite();
  expect((await logIn(node, "ada")).status).toBe(401);
});

test("guessing tokens meets the limit of wrong passwords", async () => {
  const guess = () => node.call("POST /api/auth/invites/look", { body: { token: "x" }, headers: from("10.2.0.1") });
  for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
});

test("a taken name is refused, an unknown account has no link", async () => {
  await invite();
  expect((await invite()).body.code).toBe("username_taken");
  expect((await call("POST /api/users/usr_none/invite")).body.code).toBe("user_not_found");
});

test("a link that resets a password does not go round the second factor", async () => {
  await addAccount(node, "bob");
  const bob = (await logIn(node, "bob")).body;
  const secret = await turnTotpOn(node, bob.access_token);
  const { token: link } = (await call(`POST /api/users/${bob.user.id}/invite`)).body;
  const answer = await accept(link, "another long phrase");
  expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ["temp_token", "totp_required"]]);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const { temp_token } = answer.body;
  const done = await open("POST /api/auth/totp/verify", { temp_token, code: totpCode(node, secret) });
  expect(done.body.user.username).toBe("bob");
});

import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
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
import { createAuthenticator, type Flaws } from "../../../../tests/kit/authenticator.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import type { Session } from "../sessions/contract.ts";

let node: TestNode;
let token: string;
let userId: string;
let app: { id: string; token: string };
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  userId = (await addAccount(node, "ada")).id;
  token = (await logIn(node, "ada")).body.access_token;
  app = await pair(token);
});
afterEach(() => node.close());

let lastIp = 0;
const nextIp = () => from(`10.9.${lastIp >> 8}.${lastIp++ & 255}`);
const call = (route: string, as: string, body?: unknown) =>
  node.call(route, { headers: { ...bearer(as), ...nextIp() }, body });
const ask = (route: string, body?: unknown) => node.call(route, { headers: nextIp(), body });
const me = async (as: string) => (await call("GET /api/auth/me", as)).status;
const unpair = async (id = app.id) => expect((await call(`DELETE /api/paired-devices/${id}`, token)).status).toBe(200);

async function pair(as: string): Promise<{ id: string; token: string }> {
  const { code } = (await call("POST /api/paired-devices/pairings", as)).body;
  return (await ask("POST /api/paired-devices/pair", { code, name: "App" })).body;
}

/** The session of a screen that was let in by its code; `refresh` is what it goes on with. */
async function letInByQr(as: string): Promise<{ token: string; refresh: string }> {
  const { session_id, secret } = (await ask("POST /api/auth/qr/generate")).body;
  await call("POST /api/auth/qr/approve", as, { session_id });
  const done = await ask("POST /api/auth/qr/exchange", { session_id, secret });
  return { token: done.body.access_token, refresh: cookiesOf(done)["refresh_token"] ?? "" };
}

async function letInByApproval(as: string): Promise<string> {
  const { request_id, code } = (await ask("POST /api/auth/approve/request", { email: "ada" })).body;
  await call(`POST /api/auth/approve/${request_id}/decide`, as, { approve: true, code });
  return (await ask(`GET /api/auth/approve/${request_id}`)).body.access_token;
}

/** A passkey that was made with `as`; gives what signs in with it. */
async function register(as: string) {
  const authenticator = createAuthenticator();
  const begun = (await call("POST /api/auth/passkeys/register/begin", as)).body;
  const credential = authenticator.register(begun.options.publicKey);
  const { session_id } = begun;
  const made = await call("POST /api/auth/passkeys/register/finish", as, { session_id, name: "Key", credential });
  expect(made.status).toBe(200);
  const prove = async (flaws: Flaws = {}) => {
    const { session_id: id, options } = (await ask("POST /api/auth/passkeys/login/begin")).body;
    return { session_id: id, credential: authenticator.sign(options.publicKey, flaws) };
  };
  const signIn = async (flaws?: Flaws) => ask("POST /api/auth/passkeys/login/finish", await prove(flaws));
  return { prove, signIn };
}

test("what an app let in ends with it, with all that was made and let in there", async () => {
  const scanned = await letInByQr(app.token);
  const approved = await letInByApproval(app.token);
  const further = await letInByQr(approved);
  const child = await pair(scanned.token);
  const passkey = await register(further.token);
  const byPasskey = (await passkey.signIn()).body.access_token;
  const last = await letInByApproval((await pair(byPasskey)).token);
  const { key } = (await call("POST /api/keys", last, { name: "k" })).body;
  const { password } = (await call("POST /api/drive/webdav-passwords", last, { name: "w" })).body;
  const ways = [app.token, scanned.token, approved, further.token, child.token, byPasskey, last];
  expect(await Promise.all(ways.map(me))).toEqual(ways.map(() => 200));
  const byKey = () => node.call("GET /api/auth/me", { headers: { "x-api-key": key } });
  const mount = () =>
    node.call("OPTIONS /dav/drive", { headers: { ...nextIp(), authorization: `Basic ${btoa(`ada:${password}`)}` } });
  expect([(await byKey()).status, (await mount()).status]).toEqual([200, 200]);

  await unpair();
  expect(await Promise.all(ways.map(me))).toEqual(ways.map(() => 401));
  expect([(await byKey()).status, (await mount()).status]).toEqual([401, 401]);
  expect((await ask("POST /api/auth/refresh", { refresh_token: scanned.refresh })).status).toBe(401);
  expect((await passkey.signIn()).body.code).toBe("passkey_refused");
  expect((await call("GET /api/auth/passkeys", token)).body.passkeys).toEqual([]);
  expect((await call("GET /api/auth/sessions", token)).body).toHaveLength(1);
  expect((await call("GET /api/paired-devices", token)).body).toEqual([]);
});

test("each that ends is told", async () => {
  const { token: scanned } = await letInByQr(app.token);
  await register(scanned);
  await pair(scanned);
  await call("POST /api/keys", scanned, { name: "k" });
  await call("POST /api/drive/webdav-passwords", scanned, { name: "w" });
  const before = node.events.length;
  await unpair();
  await node.ctx.bus.idle();
  const told = node.events.slice(before).map(({ name }) => name);
  const expected = ["dav_password.revoked", "device.removed", "device.removed", "key.revoked", "passkey.deleted"];
  expect(told.filter((name) => [...expected, "session.revoked"].includes(name)).sort()).toEqual([
    ...expected,
    "session.revoked",
  ]);
});

test("what is under way in a session of the app ends at once", async () => {
  const { token: scanned } = await letInByQr(app.token);
  const read = spyOn(node.ctx.events.hub, "read");
  const stream = call("GET /api/events/stream", scanned);
  while (read.mock.calls.length === 0) await Bun.sleep(0);
  const [inside] = (await call("GET /api/auth/sessions", scanned)).body.filter(({ current }: Session) => current);
  const present = { user_id: userId, session_id: inside.id, ip: "10.0.0.1" };
  expect(node.ctx.auth.presence.isIn(present, "admin")).toBe(true);
  await unpair();
  expect(node.ctx.auth.presence.isIn(present, "admin")).toBe(false);
  expect((await stream).body).toContain("session.revoked");
});

test("what came in by itself, by a session or by another app goes on", async () => {
  const other = await pair(token);
  const [byOther, bySession] = [await letInByQr(other.token), await letInByQr(token)];
  const passkey = await register(bySession.token);
  await letInByQr(app.token);
  await unpair();
  const ways = [token, other.token, byOther.token, bySession.token, (await passkey.signIn()).body.access_token];
  expect(await Promise.all(ways.map(me))).toEqual([200, 200, 200, 200, 200]);
});

test("an app that was let in inside ends alone, with its own", async () => {
  const scanned = await letInByQr(app.token);
  const child = await pair(scanned.token);
  const below = await letInByQr(child.token);
  await unpair(child.id);
  expect(await Promise.all([app.token, scanned.token, child.token, below.token].map(me))).toEqual([200, 200, 401, 401]);
});

test("a code or approval that waits in a session of the app ends with the app", async () => {
  const { token: scanned } = await letInByQr(app.token);
  const { code } = (await call("POST /api/paired-devices/pairings", scanned)).body;
  const { session_id, secret } = (await ask("POST /api/auth/qr/generate")).body;
  await call("POST /api/auth/qr/approve", scanned, { session_id });
  await unpair();
  expect((await ask("POST /api/paired-devices/pair", { code, name: "App" })).status).toBe(401);
  expect((await ask("POST /api/auth/qr/exchange", { session_id, secret })).status).toBe(410);
});

test("unlocking makes no session that is free of the app, whether it let in the locked one or made the passkey", async () => {
  const { token: scanned } = await letInByQr(app.token);
  await call("POST /api/auth/lock", scanned);
  const byPassword = (await call("POST /api/auth/unlock", scanned, { password: PASSWORD })).body.access_token;
  const passkey = await register(app.token);
  const mine = (await logIn(node, "ada", nextIp())).body.access_token;
  await call("POST /api/auth/lock", mine);
  const unlocked = await call("POST /api/auth/unlock", mine, { passkey: await passkey.prove() });
  const byPasskey = unlocked.body.access_token;
  expect([await me(byPassword), await me(byPasskey)]).toEqual([200, 200]);
  await unpair();
  expect([await me(byPassword), await me(byPasskey), await me(token)]).toEqual([401, 401, 200]);
});

test("nor does the second factor behind a passkey that the app made", async () => {
  const passkey = await register(app.token);
  const secret = await turnTotpOn(node, token);
  const proveBoth = async () => {
    const { temp_token } = (await passkey.signIn({ isVerified: false })).body;
    await node.clock.advance(30_000);
    return { temp_token, code: totpCode(node, secret) };
  };
  const done = (await ask("POST /api/auth/totp/verify", await proveBoth())).body;
  expect(await me(done.access_token)).toBe(200);
  const waiting = await proveBoth();
  await unpair();
  expect(await me(done.access_token)).toBe(401);
  expect((await ask("POST /api/auth/totp/verify", waiting)).status).toBe(401);
});

test.each([
  [[], 401],
  [["devices"], 200],
])(
  "who changes the password in such a session has proven it and stays; keeping %p, the app answers %p",
  async (keep, status) => {
    const { token: scanned } = await letInByQr(app.token);
    const beside = await letInByQr(app.token);
    const change = { current_password: PASSWORD, new_password: "another long phrase", keep };
    expect((await call("POST /api/auth/change-password", scanned, change)).status).toBe(200);
    expect(await Promise.all([scanned, beside.token, app.token].map(me))).toEqual([200, 401, status]);
    await call(`DELETE /api/paired-devices/${app.id}`, scanned);
    expect([await me(scanned), await me(app.token)]).toEqual([200, 401]);
  },
);

test("an app that changes the password goes on, and what it let in before does not", async () => {
  const { token: scanned } = await letInByQr(app.token);
  const change = { current_password: PASSWORD, new_password: "another long phrase" };
  expect((await call("POST /api/auth/change-password", app.token, change)).status).toBe(200);
  expect(await Promise.all([app.token, scanned, token].map(me))).toEqual([200, 401, 401]);
});

test("a link that sets a password ends with the app that made it, and no other", async () => {
  const { token: scanned } = await letInByQr(app.token);
  const look = (made: string) => ask("POST /api/auth/invites/look", { token: made });
  const bob = (await call("POST /api/users/invites", scanned, { username: "bob", role: "viewer" })).body;
  const { id: other } = await addAccount(node, "joe");
  const own = (await call(`POST /api/users/${other}/invite`, app.token)).body;
  const byPerson = (await call("POST /api/users/invites", token, { username: "eve", role: "viewer" })).body;
  expect((await look(bob.token)).status).toBe(200);
  await unpair();
  expect(await Promise.all([bob, own, byPerson].map(async (each) => (await look(each.token)).status))).toEqual([
    401, 401, 200,
  ]);
});

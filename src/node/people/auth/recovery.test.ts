import { afterEach, beforeEach, expect, test } from "bun:test";
import { addAccount, bearer, logIn, MANY_ADDRESSES, PASSWORD } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

const NEW = "another fine phrase";
const WAYS = ["api_keys", "paired_devices", "passkeys", "dav_passwords"] as const;
let node: TestNode;
let token: string;
let userId: string;

beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "root");
  userId = (await addAccount(node, "ada")).id;
  token = (await logIn(node, "ada")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = token) => node.call(route, { headers: bearer(as), body });
const makeKey = async (as = token): Promise<string> => (await call("POST /api/keys", { name: "k" }, as)).body.key;
const useKey = async (key: string) => (await node.call("GET /api/auth/me", { headers: { "x-api-key": key } })).status;
const useToken = async (of: string) => (await call("GET /api/auth/me", undefined, of)).status;
async function pair(as = token): Promise<{ id: string; token: string }> {
  const { code } = (await call("POST /api/paired-devices/pairings", undefined, as)).body;
  return (await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } })).body;
}
const addPasskey = () =>
  node.ctx.db.raw
    .query(
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
       VALUES ('pky_1', ?, 'Somebody', 'c', x'00', 0, '[]', 'localhost', '2026-01-01')`,
    )
    .run(userId);
const left = () =>
  WAYS.map((table) => node.ctx.db.raw.query(`SELECT id FROM ${table} WHERE user_id = ?`).all(userId).length);
const change = (more: object = {}, as = token) =>
  call("POST /api/auth/change-password", { current_password: PASSWORD, new_password: NEW, ...more }, as);

/** An account that somebody has got into, by every way that outlasts a session. */
async function getInto(): Promise<{ key: string; app: string }> {
  addPasskey();
  await call("POST /api/drive/webdav-passwords", { name: "Laptop" });
  return { key: await makeKey(), app: (await pair()).token };
}

test("a changed password ends keys, apps and passkeys, on record each, and says so", async () => {
  const { key, app } = await getInto();
  const { status, body } = await change();
  expect([status, body.message]).toEqual([
    200,
    "The password is changed. Your other sessions have ended, and with them 1 API key, 1 paired app, 1 WebDAV password, 1 passkey.",
  ]);
  expect([await useKey(key), await useToken(app), left()]).toEqual([401, 401, [0, 0, 0, 0]]);
  expect(await useToken(token)).toBe(200);
  await node.ctx.bus.idle();
  const told = node.events.map(({ name }) => name);
  for (const name of ["key.revoked", "device.removed", "passkey.deleted", "dav_password.revoked"])
    expect(told).toContain(name);
  const done = node.events.find(({ name }) => name === "auth.password_changed");
  expect(done?.data).toMatchObject({ ended: { keys: 1, devices: 1, passkeys: 1, webdav: 1 } });
});

test.each([
  [["keys"], [1, 0, 0, 0]],
  [["devices"], [0, 1, 0, 0]],
  [["webdav"], [0, 0, 0, 1]],
  [
    ["keys", "devices", "passkeys", "webdav"],
    [1, 1, 1, 1],
  ],
  [[], [0, 0, 0, 0]],
])("its owner keeps %j", async (keep, expected) => {
  await getInto();
  await change({ keep });
  expect(left()).toEqual(expected);
});

test("a pairing that was begun under the former password lets no app in", async () => {
  const { code } = (await call("POST /api/paired-devices/pairings")).body;
  await change({ keep: ["devices"] });
  const late = await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } });
  expect([late.status, late.body.code]).toEqual([401, "pairing_code_wrong"]);
  expect(await useToken((await pair()).token)).toBe(200);
});

test("unknown things cannot be kept", async () => {
  const { status, body } = await change({ keep: ["sessions"] });
  expect([status, body.code]).toEqual([400, "invalid_request"]);
});

test("nothing ends when the password does not change", async () => {
  await getInto();
  expect((await change({ current_password: "wrong" })).status).toBe(401);
  expect((await change({ new_password: "short" })).status).toBe(400);
  expect(left()).toEqual([1, 1, 1, 1]);
});

test("the app that changes the password goes on with what it made; the others end", async () => {
  const mine = await pair();
  const other = await pair();
  const [myKey, otherKey] = [await makeKey(mine.token), await makeKey(other.token)];
  expect((await change({}, mine.token)).status).toBe(200);
  expect([await useToken(mine.token), await useKey(myKey)]).toEqual([200, 200]);
  expect([await useToken(other.token), await useKey(otherKey)]).toEqual([401, 401]);
});

test("what an app let in or made ends with it", async () => {
  const thief = await pair();
  const heir = await pair(thief.token);
  const keys = [await makeKey(thief.token), await makeKey(heir.token)];
  const { code } = (await call("POST /api/paired-devices/pairings", undefined, thief.token)).body;
  expect((await call(`DELETE /api/paired-devices/${thief.id}`)).status).toBe(200);
  expect(await useToken(heir.token)).toBe(401);
  for (const key of keys) expect(await useKey(key)).toBe(401);
  const late = await node.call("POST /api/paired-devices/pair", { body: { code, name: "Late" } });
  expect([late.status, late.body.code]).toEqual([401, "pairing_code_wrong"]);
  const removed = node.events.filter(({ name }) => name === "device.removed" || name === "key.revoked");
  expect(removed).toHaveLength(4);
});

test("an admin's reset ends them too, unless its owner keeps them, and shows before how many there are", async () => {
  const root = (await logIn(node, "root")).body.access_token;
  const reset = async (more: object) => {
    const { token: link } = (await call(`POST /api/users/${userId}/invite`, undefined, root)).body;
    const { lasting } = (await node.call("POST /api/auth/invites/look", { body: { token: link } })).body;
    await node.call("POST /api/auth/invites/accept", { body: { token: link, password: NEW, ...more } });
    return lasting;
  };
  await getInto();
  expect(await reset({ keep: ["passkeys", "keys"] })).toEqual({ keys: 1, devices: 1, passkeys: 1, webdav: 1 });
  expect(left()).toEqual([1, 0, 1, 0]);
  expect(await reset({})).toEqual({ keys: 1, devices: 0, passkeys: 1, webdav: 0 });
  expect(left()).toEqual([0, 0, 0, 0]);
});

test("a link that could still set another password ends with the old one", async () => {
  const root = (await logIn(node, "root")).body.access_token;
  const { token: link } = (await call(`POST /api/users/${userId}/invite`, undefined, root)).body;
  await change({ keep: ["keys", "devices", "passkeys"] });
  const { status, body } = await node.call("POST /api/auth/invites/look", { body: { token: link } });
  expect([status, body.code]).toEqual([401, "invite_refused"]);
});

test("who was let in under the old password and has not come yet stays out", async () => {
  const qr = (await node.call("POST /api/auth/qr/generate")).body;
  await call("POST /api/auth/qr/approve", { session_id: qr.session_id });
  const asked = (await node.call("POST /api/auth/approve/request", { body: { email: "ada" } })).body;
  await call(`POST /api/auth/approve/${asked.request_id}/decide`, { approve: true, code: asked.code });
  await change();
  const { session_id, secret } = qr;
  const traded = await node.call("POST /api/auth/qr/exchange", { body: { session_id, secret } });
  expect([traded.status, traded.body.code]).toEqual([410, "qr_expired"]);
  expect((await node.call(`GET /api/auth/approve/${asked.request_id}`)).body).toEqual({ status: "expired" });
});

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  addAccount,
  bearer,
  cookiesOf,
  from,
  logIn,
  MANY_ADDRESSES,
  PASSWORD,
  slowDown,
  turnTotpOn,
} from "../../../../tests/kit/accounts.ts";
import { createAuthenticator } from "../../../../tests/kit/authenticator.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
let refresh: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada");
  const { body } = await logIn(node, "ada");
  token = body.access_token;
  refresh = body.refresh_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = token) => node.call(route, { headers: bearer(as), body });
const lock = () => call("POST /api/auth/lock");
const unlock = (body: unknown, ip = "10.0.0.1") =>
  node.call("POST /api/auth/unlock", { headers: { ...bearer(token), ...from(ip) }, body });
const me = (as = token) => call("GET /api/auth/me", undefined, as);

test("a locked session answers 423 everywhere but four routes", async () => {
  const locked = await lock();
  expect([locked.status, locked.body]).toEqual([204, ""]);
  const refused = await call("GET /api/auth/sessions");
  expect([refused.status, refused.body.error]).toEqual([423, "locked"]);
  expect((await lock()).status).toBe(423);
  expect((await me()).body).toMatchObject({ username: "ada", locked: true });
  expect((await call("GET /api/auth/lock-info")).status).toBe(200);
  expect((await unlock({ password: PASSWORD })).status).toBe(200);
  await lock();
  expect((await call("POST /api/auth/logout")).status).toBe(200);
});

test("unlocking gives a fresh session with both cookies; the old one is over", async () => {
  await lock();
  const done = await unlock({ password: PASSWORD });
  expect([done.status, Object.keys(done.body).sort()]).toEqual([200, ["access_token", "user"]]);
  expect(Object.keys(cookiesOf(done)).sort()).toEqual(["access_token", "refresh_token", "signed_in"]);
  expect((await me(done.body.access_token)).body.locked).toBeUndefined();
  expect((await me()).status).toBe(401);
  expect((await node.call("POST /api/auth/refresh", { body: { refresh_token: refresh } })).status).toBe(401);
  const sessions = (await call("GET /api/auth/sessions", undefined, done.body.access_token)).body;
  expect(sessions).toHaveLength(1);
});

test("refreshing does not unlock", async () => {
  await lock();
  const { body } = await node.call("POST /api/auth/refresh", { body: { refresh_token: refresh } });
  expect((await me(body.access_token)).body.locked).toBe(true);
  expect((await call("GET /api/auth/sessions", undefined, body.access_token)).status).toBe(423);
});

test("wrong passwords share the limit of sign-in", async () => {
  await lock();
  for (let i = 0; i < 5; i++) {
    const answer = await unlock({ password: "wrong wrong" });
    expect([answer.status, answer.body.code]).toEqual([401, "wrong_credentials"]);
  }
  expect((await unlock({ password: PASSWORD })).status).toBe(429);
  const elsewhere = { username: "ada", password: PASSWORD };
  const login = await node.call("POST /api/auth/login", { body: elsewhere, headers: from("10.0.0.1") });
  expect(login.status).toBe(429);
  expect((await unlock({ password: PASSWORD }, "10.0.0.2")).status).toBe(200);
  expect(node.events.filter(({ name }) => name === "session.unlock_failed")).toHaveLength(5);
});

describe("with a passkey", () => {
  const key = createAuthenticator();

  async function register(as: string): Promise<void> {
    const { body } = await call("POST /api/auth/passkeys/register/begin", undefined, as);
    const credential = key.register(body.options.publicKey);
    await call("POST /api/auth/passkeys/register/finish", { session_id: body.session_id, name: "k", credential }, as);
  }
  async function proof() {
    const { session_id, options } = (await node.call("POST /api/auth/passkeys/login/begin")).body;
    return { passkey: { session_id, credential: key.sign(options.publicKey) } };
  }

  test("of one's own it opens", async () => {
    await register(token);
    await lock();
    expect((await unlock(await proof())).body.user.username).toBe("ada");
  });

  test("of somebody else it does not", async () => {
    await addAccount(node, "eve");
    await register((await logIn(node, "eve")).body.access_token);
    await lock();
    const answer = await unlock(await proof());
    expect([answer.status, answer.body.code]).toEqual([401, "wrong_credentials"]);
    expect((await me()).body.locked).toBe(true);
  });

  test("a used answer does not open again", async () => {
    await register(token);
    await lock();
    const used = await proof();
    const open = (await unlock(used)).body.access_token;
    await call("POST /api/auth/lock", undefined, open);
    token = open;
    expect((await unlock(used)).body.code).toBe("passkey_challenge_gone");
  });
});

test("credentials without a session cannot be locked, nor unlocked into one", async () => {
  const { key } = (await call("POST /api/keys", { name: "k" })).body;
  const byKey = await node.call("POST /api/auth/lock", { headers: { "x-api-key": key } });
  expect([byKey.status, byKey.body.error, byKey.body.code]).toEqual([
    409,
    "session_not_lockable",
    "session_not_lockable",
  ]);
  const { code } = (await call("POST /api/paired-devices/pairings")).body;
  const device = await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } });
  expect((await call("POST /api/auth/lock", undefined, device.body.token)).status).toBe(409);
  for (const headers of [{ "x-api-key": key }, bearer(device.body.token)]) {
    const answer = await node.call("POST /api/auth/unlock", { headers, body: { password: PASSWORD } });
    expect([answer.status, answer.body.code, answer.headers.getSetCookie()]).toEqual([409, "session_not_lockable", []]);
  }
});

test.each([[{}], [{ password: 1 }], [{ passkey: {} }], [{ password: "x", extra: 1 }], [[]]])(
  "%j is malformed",
  async (body) => {
    await lock();
    expect((await unlock(body)).status).toBe(400);
    expect((await me()).body.locked).toBe(true);
  },
);

describe("idle sessions", () => {
  const setAutoLock = (minutes: unknown) => call("PUT /api/auth/auto-lock", { minutes });

  test("do not lock unless their user wants it", async () => {
    expect((await call("GET /api/auth/auto-lock")).body).toEqual({ minutes: null });
    await node.clock.advance(14 * 60_000);
    expect((await call("GET /api/auth/sessions")).status).toBe(200);
  });

  test("lock after the chosen time, counted from the last request", async () => {
    expect((await setAutoLock(5)).body).toEqual({ minutes: 5 });
    await node.clock.advance(299_000);
    expect((await call("GET /api/auth/sessions")).status).toBe(200);
    await node.clock.advance(299_000);
    expect((await call("GET /api/auth/sessions")).status).toBe(200);
    await node.clock.advance(300_000);
    expect((await call("GET /api/auth/sessions")).status).toBe(423);
    expect(node.events.find(({ name }) => name === "session.locked")?.data).toMatchObject({ cause: "idle" });
    expect((await me()).body.locked).toBe(true);
  });

  test("lock although the clock was set back meanwhile, also after a restart", async () => {
    await setAutoLock(5);
    expect((await call("GET /api/auth/sessions")).status).toBe(200);
    node.clock.jump(-60_000);
    await node.clock.advance(300_000);
    expect((await call("GET /api/auth/sessions")).status).toBe(423);

    const other = (await logIn(node, "ada")).body;
    node.clock.jump(-600_000);
    const restarted = createTestNode(MANY_ADDRESSES, node);
    const body = { refresh_token: other.refresh_token };
    const renewed = (await restarted.call("POST /api/auth/refresh", { body })).body.access_token;
    expect((await restarted.call("GET /api/auth/sessions", { headers: bearer(renewed) })).status).toBe(423);
    restarted.close();
  });

  test("lock by the refresh that ends a long pause", async () => {
    await setAutoLock(30);
    await node.clock.advance(40 * 60_000);
    const { body } = await node.call("POST /api/auth/refresh", { body: { refresh_token: refresh } });
    expect((await call("GET /api/auth/sessions", undefined, body.access_token)).status).toBe(423);
  });

  test.each([[0], [1441], [1.5], ["five"], [undefined]])("%p minutes are refused", async (minutes) => {
    expect((await setAutoLock(minutes)).status).toBe(400);
    expect((await call("GET /api/auth/auto-lock")).body).toEqual({ minutes: null });
  });
});

describe("a password alone opens nothing", () => {
  test("for credentials without a session, which the second factor stands before", async () => {
    await turnTotpOn(node, token);
    const { key } = (await call("POST /api/keys", { name: "k" })).body;
    const { code } = (await call("POST /api/paired-devices/pairings")).body;
    const device = await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } });
    for (const headers of [{ "x-api-key": key }, bearer(device.body.token)]) {
      const answer = await node.call("POST /api/auth/unlock", { headers, body: { password: PASSWORD } });
      expect([answer.status, answer.body.code]).toEqual([409, "session_not_lockable"]);
    }
  });

  test("for a session that signed out, whose access token has not run out", async () => {
    await call("POST /api/auth/logout");
    const answer = await unlock({ password: PASSWORD });
    expect([answer.status, answer.body.code]).toEqual([401, "unauthorized"]);
  });

  test("for a session that is ended while the password is compared", async () => {
    const other = (await logIn(node, "ada")).body.access_token;
    await slowDown(node, "ada", PASSWORD);
    const answer = unlock({ password: PASSWORD });
    const ended = await call("DELETE /api/auth/sessions", undefined, other);
    expect(ended.body.ended).toBe(1);
    expect((await answer).status).toBe(401);
    expect((await call("GET /api/auth/sessions", undefined, other)).body).toHaveLength(1);
  });

  test("twice: of many at once one gets the session", async () => {
    await lock();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => unlock({ password: PASSWORD }, `10.0.1.${n}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });
});

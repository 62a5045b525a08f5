import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addAccount, bearer, cookiesOf, from, logIn, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada", "member");
  token = (await logIn(node, "ada")).body.access_token;
});
afterEach(() => node.close());

let lastIp = 0;
const nextIp = () => from(`10.9.${lastIp >> 8}.${lastIp++ & 255}`);
const generate = async () => (await node.call("POST /api/auth/qr/generate", { headers: nextIp() })).body;
const statusOf = async (id: string) => (await node.call(`GET /api/auth/qr/status/${id}`)).body.status;
const approve = (session_id: string, headers: Record<string, string> = bearer(token), name = "approve") =>
  node.call(`POST /api/auth/qr/${name}`, { headers, body: { session_id } });
const exchange = (session_id: unknown, secret: unknown) =>
  node.call("POST /api/auth/qr/exchange", { headers: nextIp(), body: { session_id, secret } });

test("generate, approve, exchange", async () => {
  const made = await generate();
  expect(Object.keys(made).sort()).toEqual(["expires_at", "secret", "session_id"]);
  expect(Date.parse(made.expires_at) - node.clock.now()).toBe(300_000);
  expect(await statusOf(made.session_id)).toBe("pending");

  const approved = await approve(made.session_id);
  expect([approved.status, approved.body.status]).toEqual([200, "approved"]);
  const seen = await node.call(`GET /api/auth/qr/status/${made.session_id}`);
  expect(seen.body).toEqual({ status: "approved" });
  expect(cookiesOf(seen)).toEqual({});

  const done = await exchange(made.session_id, made.secret);
  expect([done.status, Object.keys(done.body).sort()]).toEqual([200, ["access_token", "user"]]);
  expect(done.body.user.username).toBe("ada");
  expect(Object.keys(cookiesOf(done)).sort()).toEqual(["access_token", "refresh_token", "signed_in"]);
  expect(await statusOf(made.session_id)).toBe("consumed");
  expect((await node.call("GET /api/auth/me", { headers: bearer(done.body.access_token) })).status).toBe(200);
});

test("fifty exchanges of one secret at once give one session", async () => {
  const { session_id, secret } = await generate();
  await approve(session_id);
  const count = () => node.ctx.db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM sessions").get()?.n ?? 0;
  const before = count();
  const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(session_id, secret)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
  expect(count() - before).toBe(1);
});

describe("exchange", () => {
  test("unknown, wrong secret and used once cannot be told apart", async () => {
    const used = await generate();
    await approve(used.session_id);
    await exchange(used.session_id, used.secret);
    const open = await generate();
    await approve(open.session_id);
    const answers = await Promise.all([
      exchange("qrs_none", used.secret),
      exchange(open.session_id, used.secret),
      exchange(used.session_id, used.secret),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({
        error: "invalid qr session",
        code: "qr_invalid",
        message: "invalid qr session",
        params: {},
      });
    }
    expect((await exchange(open.session_id, open.secret)).status).toBe(200);
  });

  test("before the approval 409, and it stays usable", async () => {
    const { session_id, secret } = await generate();
    expect((await exchange(session_id, secret)).status).toBe(409);
    await approve(session_id);
    expect((await exchange(session_id, secret)).status).toBe(200);
  });

  test("with a wrong secret 401, whatever the state", async () => {
    const { session_id } = await generate();
    expect((await exchange(session_id, "wrong")).status).toBe(401);
    await node.clock.advance(300_000);
    expect((await exchange(session_id, "wrong")).status).toBe(401);
  });

  test("after five minutes 410", async () => {
    const { session_id, secret } = await generate();
    await node.clock.advance(300_000);
    expect((await exchange(session_id, secret)).status).toBe(410);
    expect(await statusOf(session_id)).toBe("expired");
    expect((await approve(session_id)).status).toBe(410);
  });

  test("a minute after the approval 410", async () => {
    const { session_id, secret } = await generate();
    await approve(session_id);
    await node.clock.advance(59_999);
    expect(await statusOf(session_id)).toBe("approved");
    await node.clock.advance(1);
    expect((await exchange(session_id, secret)).status).toBe(410);
  });

  test("a late approval does not lengthen the five minutes", async () => {
    const { session_id, secret } = await generate();
    await node.clock.advance(290_000);
    token = (await logIn(node, "ada")).body.access_token;
    await approve(session_id);
    await node.clock.advance(10_000);
    expect((await exchange(session_id, secret)).status).toBe(410);
  });

  test("ends with the session that approved it, and with the paired device", async () => {
    const other = (await logIn(node, "ada")).body.access_token;
    const { code } = (await node.call("POST /api/paired-devices/pairings", { headers: bearer(other) })).body;
    const phone = (await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } })).body;
    const [bySession, byDevice] = [await generate(), await generate()];
    await approve(bySession.session_id);
    await approve(byDevice.session_id, bearer(phone.token));
    expect([await statusOf(bySession.session_id), await statusOf(byDevice.session_id)]).toEqual([
      "approved",
      "approved",
    ]);
    await node.call("DELETE /api/auth/sessions", { headers: bearer(other) });
    await node.call(`DELETE /api/paired-devices/${phone.id}`, { headers: bearer(other) });
    for (const { session_id, secret } of [bySession, byDevice])
      expect([await statusOf(session_id), (await exchange(session_id, secret)).status]).toEqual(["expired", 410]);
  });

  test("an account disabled after its approval stays out", async () => {
    const { session_id, secret } = await generate();
    await approve(session_id);
    node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE username = 'ada'").run();
    expect((await exchange(session_id, secret)).status).toBe(401);
    expect(await statusOf(session_id)).toBe("consumed");
  });

  test.each([
    [undefined, "s"],
    ["x", undefined],
    ["", "s"],
    ["x", ""],
    ["x".repeat(129), "s"],
    ["x", "s".repeat(257)],
    [1, "s"],
  ])("%p with %p is malformed", async (id, secret) => {
    expect((await exchange(id, secret)).status).toBe(400);
  });
});

describe("approve", () => {
  test("has an alias", async () => {
    const { session_id } = await generate();
    expect((await approve(session_id, bearer(token), "authenticate")).body.status).toBe("approved");
  });

  test("unknown 404, approved or used 409", async () => {
    expect((await approve("qrs_none")).status).toBe(404);
    const { session_id, secret } = await generate();
    await approve(session_id);
    expect((await approve(session_id)).status).toBe(409);
    await exchange(session_id, secret);
    expect((await approve(session_id)).status).toBe(409);
  });

  test("nobody anonymous, no locked session, no API key; a paired device may", async () => {
    const { session_id, secret } = await generate();
    expect((await approve(session_id, {})).status).toBe(401);
    const { key } = (await node.call("POST /api/keys", { headers: bearer(token), body: { name: "k" } })).body;
    const byKey = await approve(session_id, { "x-api-key": key });
    expect([byKey.status, byKey.body.code]).toEqual([403, "key_cannot_grant"]);

    const { code } = (await node.call("POST /api/paired-devices/pairings", { headers: bearer(token) })).body;
    const paired = await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } });
    await node.call("POST /api/auth/lock", { headers: bearer(token) });
    expect((await approve(session_id)).status).toBe(423);
    expect((await approve(session_id, bearer(paired.body.token))).status).toBe(200);
    expect((await exchange(session_id, secret)).body.user.username).toBe("ada");
  });
});

test("both open routes are limited by address", async () => {
  const at = from("10.5.0.1");
  const generated = [];
  for (let i = 0; i < 31; i++) generated.push((await node.call("POST /api/auth/qr/generate", { headers: at })).status);
  expect(generated.filter((status) => status === 429)).toHaveLength(1);
  const exchanged = [];
  const body = { session_id: "x", secret: "y" };
  for (let i = 0; i < 61; i++) {
    exchanged.push((await node.call("POST /api/auth/qr/exchange", { headers: at, body })).status);
  }
  expect(exchanged.filter((status) => status === 429)).toHaveLength(1);
});

test("an unknown id has no status", async () => {
  expect((await node.call("GET /api/auth/qr/status/none")).status).toBe(404);
});

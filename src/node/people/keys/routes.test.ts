import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addAccount, bearer, logIn, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { coversScope, normalizeScopes } from "./logic.ts";

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

const call = (route: string, body?: unknown) => node.call(route, { headers: bearer(token), body });
const make = async (body: Record<string, unknown> = {}) => (await call("POST /api/keys", { name: "ci", ...body })).body;
const withKey = (key: string, route: string, body?: unknown) =>
  node.call(route, { headers: { "x-api-key": key }, body });

test("the whole key is shown once and stored nowhere", async () => {
  const made = await call("POST /api/keys", { name: " ci ", scopes: "users, apps", expires_in: 3600 });
  expect(made.status).toBe(200);
  const { id, key, ...rest } = made.body;
  expect(key).toMatch(/^svc_[A-Za-z0-9_-]{75}$/);
  expect(rest).toEqual({
    name: "ci",
    scopes: "apps,users",
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: "2026-01-01T01:00:00.000Z",
  });
  const { body } = await call("GET /api/keys");
  expect(body).toEqual([{ id, ...rest, last_used_at: null }]);
  expect(JSON.stringify(node.ctx.db.raw.query("SELECT * FROM api_keys").all())).not.toContain(key.slice(4, 36));
  expect(JSON.stringify(node.events)).not.toContain(key);
});

test("without scopes and expiry it covers everything for ever", async () => {
  expect(await make()).toMatchObject({ scopes: "*", expires_at: null });
  expect(await make({ expires_in: null })).toMatchObject({ expires_at: null });
});

test("acts as its owner and notes its use once a minute", async () => {
  const { key } = await make();
  expect((await withKey(key, "GET /api/auth/me")).body).toMatchObject({ id: userId, username: "ada" });
  const used = async () => (await call("GET /api/keys")).body[0].last_used_at;
  expect(await used()).toBe("2026-01-01T00:00:00.000Z");
  await node.clock.advance(59_999);
  await withKey(key, "GET /api/auth/me");
  expect(await used()).toBe("2026-01-01T00:00:00.000Z");
  await node.clock.advance(1);
  await withKey(key, "GET /api/auth/me");
  expect(await used()).toBe("2026-01-01T00:01:00.000Z");
});

describe("scopes", () => {
  test("limit a key to routes of their area, with the exact text", async () => {
    const { key } = await make({ scopes: "users" });
    expect((await withKey(key, "GET /api/users")).status).toBe(200);
    for (const route of ["GET /api/settings", "GET /api/audit/logs", "GET /api/keys", "GET /api/auth/me"]) {
      const { status, body } = await withKey(key, route);
      expect([route, status, body.error]).toEqual([route, 403, "api key scope does not cover this endpoint"]);
    }
  });

  test("come before the role", async () => {
    node.ctx.db.raw.query("UPDATE users SET role = 'viewer' WHERE id = ?").run(userId);
    const { key } = await make({ scopes: "apps" });
    expect((await withKey(key, "GET /api/users")).body.code).toBe("key_scope");
  });

  test("do not reach routes that are open to anybody and know the user", async () => {
    const { key } = await make({ scopes: "users" });
    expect((await withKey(key, "POST /api/auth/totp/verify", { code: "123456" })).body.code).toBe("key_scope");
  });

  test.each(["all", "apps,root", "", " , ", "APPS"])("%j is refused", async (scopes) => {
    const answer = await call("POST /api/keys", { name: "x", scopes });
    expect([answer.status, answer.body.code]).toEqual([400, "key_scope_unknown"]);
  });

  test("have one written form", () => {
    expect(normalizeScopes("vpn, apps,apps")).toBe("apps,vpn");
    expect(normalizeScopes("apps,*")).toBe("*");
    expect([coversScope("*", null), coversScope("apps", null), coversScope("apps,vpn", "vpn")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(coversScope("apps", "app")).toBe(false);
  });
});

describe("a key stops at once when", () => {
  test("it expires", async () => {
    const { key } = await make({ expires_in: 60 });
    await node.clock.advance(59_999);
    expect((await withKey(key, "GET /api/auth/me")).status).toBe(200);
    await node.clock.advance(1);
    expect((await withKey(key, "GET /api/auth/me")).status).toBe(401);
  });

  test("it is revoked", async () => {
    const { key, id } = await make();
    expect((await call(`DELETE /api/keys/${id}`)).status).toBe(200);
    expect((await withKey(key, "GET /api/auth/me")).status).toBe(401);
    expect((await call(`DELETE /api/keys/${id}`)).status).toBe(404);
  });

  test("its owner is demoted, disabled or deleted", async () => {
    const { key } = await make();
    expect((await withKey(key, "GET /api/users")).status).toBe(200);
    await node.call(`PATCH /api/users/${userId}`, { as: "admin", body: { role: "member" } });
    expect((await withKey(key, "GET /api/users")).status).toBe(403);
    expect((await withKey(key, "GET /api/auth/me")).body.role).toBe("member");
    await node.call(`PATCH /api/users/${userId}`, { as: "admin", body: { disabled: true } });
    expect((await withKey(key, "GET /api/auth/me")).status).toBe(401);
    await node.call(`DELETE /api/users/${userId}`, { as: "admin" });
    expect((await withKey(key, "GET /api/auth/me")).status).toBe(401);
    expect(node.ctx.db.raw.query("SELECT * FROM api_keys").all()).toEqual([]);
  });
});

test("forged, cut, lengthened and foreign keys are nobody's", async () => {
  const { key } = await make();
  const other = createTestNode();
  const flipped = key.slice(0, 10) + (key[10] === "A" ? "B" : "A") + key.slice(11);
  for (const text of [
    flipped,
    key.slice(0, -1),
    `${key}A`,
    key.replace("svc_", "SVC_"),
    "svc_",
    "",
    "x".repeat(9000),
  ]) {
    expect([text, (await withKey(text, "GET /api/auth/me")).status]).toEqual([text, 401]);
  }
  expect((await other.call("GET /api/auth/me", { headers: { "x-api-key": key } })).status).toBe(401);
  other.close();
});

test("a bad key is not made good by a cookie next to it", async () => {
  const headers = { "x-api-key": "svc_wrong", cookie: `access_token=${token}` };
  expect((await node.call("GET /api/auth/me", { headers })).status).toBe(401);
});

test("other users' keys are out of sight and reach", async () => {
  const { id } = await make();
  expect((await node.call("GET /api/keys", { as: "admin" })).body).toEqual([]);
  expect((await node.call(`DELETE /api/keys/${id}`, { as: "admin" })).status).toBe(404);
});

test("an account can have a hundred", async () => {
  for (let i = 0; i < 100; i++) await make();
  expect((await call("POST /api/keys", { name: "x" })).body.code).toBe("key_limit");
});

test.each([
  [{}, "name"],
  [{ name: "" }, "name"],
  [{ name: "  " }, "name"],
  [{ name: "x".repeat(65) }, "name"],
  [{ name: "x", expires_in: 0 }, "expires_in"],
  [{ name: "x", expires_in: -5 }, "expires_in"],
  [{ name: "x", expires_in: 1.5 }, "expires_in"],
  [{ name: "x", scopes: ["apps"] }, "scopes"],
  [{ name: "x", role: "admin" }, "role"],
])("%j is malformed", async (body, field) => {
  const answer = await call("POST /api/keys", body);
  expect([answer.status, answer.body.params.field]).toEqual([400, field]);
});

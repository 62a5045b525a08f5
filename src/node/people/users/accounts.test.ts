import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addAccount, bearer, logIn, MANY_ADDRESSES, PASSWORD } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
let adminId: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  adminId = (await addAccount(node, "root")).id;
  token = (await logIn(node, "root")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = token) => node.call(route, { headers: bearer(as), body });
const tables = ["sessions", "api_keys", "totp", "passkeys", "paired_devices", "invites", "dashboards", "preferences"];
const rowsOf = (table: string, userId: string) =>
  node.ctx.db.raw.query(`SELECT * FROM ${table} WHERE user_id = ?`).all(userId);

describe("a temporary password", () => {
  let temporary: string;
  beforeEach(async () => {
    const made = await call("POST /api/users", { username: "ada", role: "member" });
    temporary = made.body.temporary_password;
    expect(made.body).toMatchObject({ username: "ada", role: "member", disabled: false });
  });
  const signIn = (password: string) => node.call("POST /api/auth/login", { body: { username: "ada", password } });

  test("is shown once and has to be changed before anything else", async () => {
    expect(temporary).toHaveLength(14);
    expect(JSON.stringify((await call("GET /api/users")).body)).not.toContain(temporary);
    expect(JSON.stringify(node.events)).not.toContain(temporary);
    const ada = (await signIn(temporary)).body.access_token;
    expect((await call("GET /api/auth/me", undefined, ada)).body.must_change_password).toBe(true);
    const refused = await call("GET /api/apps", undefined, ada);
    expect([refused.status, refused.body.code]).toEqual([403, "password_change_required"]);

    const change = { current_password: temporary, new_password: PASSWORD };
    expect((await call("POST /api/auth/change-password", change, ada)).status).toBe(200);
    expect((await call("GET /api/auth/me", undefined, ada)).body.must_change_password).toBeUndefined();
    expect((await call("GET /api/apps", undefined, ada)).status).toBe(200);
    expect((await signIn(temporary)).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  test("is not made where one is given", async () => {
    const made = await call("POST /api/users", { username: "bob", role: "viewer", password: PASSWORD });
    expect(made.body.temporary_password).toBeUndefined();
    expect((await logIn(node, "bob")).body.access_token).toBeString();
  });
});

describe("deleting", () => {
  test("takes everything of the user along and ends their access at once", async () => {
    const { id } = await addAccount(node, "ada");
    const ada = (await logIn(node, "ada")).body.access_token;
    await call("POST /api/keys", { name: "k" }, ada);
    await call("PUT /api/profile/preferences", { theme: "light" }, ada);
    await call("PUT /api/profile/dashboard?type=server", { layout: [], version: 0 }, ada);
    const answer = await call(`DELETE /api/users/${id}`);
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect((await call("GET /api/auth/me", undefined, ada)).status).toBe(401);
    for (const table of tables) expect([table, rowsOf(table, id)]).toEqual([table, []]);
    expect((await logIn(node, "ada")).status).toBe(401);
    expect((await call(`DELETE /api/users/${id}`)).status).toBe(404);
    expect(node.events.find(({ name }) => name === "user.deleted")?.data).toMatchObject({
      actor_id: adminId,
      user_id: id,
      username: "ada",
    });
  });

  test("frees the name", async () => {
    const { id } = await addAccount(node, "ada");
    await call(`DELETE /api/users/${id}`);
    expect((await call("POST /api/users", { username: "ADA", role: "viewer" })).status).toBe(200);
  });
});

describe("the last admin", () => {
  const attempts: [string, unknown][] = [
    ["PATCH", { role: "member" }],
    ["PATCH", { disabled: true }],
    ["DELETE", undefined],
  ];
  test.each(attempts)("stays: %s %j", async (method, body) => {
    await addAccount(node, "ada", "member");
    const answer = await call(`${method} /api/users/${adminId}`, body);
    expect([answer.status, answer.body.code]).toEqual([409, "last_admin"]);
    expect((await call("GET /api/auth/me")).body).toMatchObject({ role: "admin", disabled: false });
    expect((await call("GET /api/auth/sessions")).body).toHaveLength(1);
  });

  test("may go once there is another one; a disabled admin is none", async () => {
    const { id } = await addAccount(node, "ada");
    await call(`PATCH /api/users/${id}`, { disabled: true });
    expect((await call(`DELETE /api/users/${adminId}`)).status).toBe(409);
    await call(`PATCH /api/users/${id}`, { disabled: false });
    expect((await call(`DELETE /api/users/${adminId}`)).status).toBe(204);
  });

  test("two admins who demote each other at once leave one", async () => {
    const { id } = await addAccount(node, "ada");
    const ada = (await logIn(node, "ada")).body.access_token;
    const answers = await Promise.all([
      call(`PATCH /api/users/${id}`, { role: "member" }),
      call(`PATCH /api/users/${adminId}`, { role: "member" }, ada),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

test("a change of role works at once on tokens that are out", async () => {
  const { id } = await addAccount(node, "ada");
  const ada = (await logIn(node, "ada")).body.access_token;
  expect((await call("GET /api/users", undefined, ada)).status).toBe(200);
  await call(`PATCH /api/users/${id}`, { role: "viewer" });
  expect((await call("GET /api/users", undefined, ada)).status).toBe(403);
  expect(node.events.find(({ name }) => name === "user.role_changed")?.data).toMatchObject({
    from: "admin",
    to: "viewer",
  });
});

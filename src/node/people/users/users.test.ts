import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, dumpDatabase, scenarios } from "../../../../tests/kit/scenario.ts";

const BOB = { username: "bob", password: "some fine phrase", role: "member" } as const;

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "100000" });
  for (const role of ["admin", "member", "viewer"] as const) await node.tokenOf(role);
});
afterEach(() => node.close());
const scenario = scenarios(() => node);

for (const as of ["member", "viewer"] as const) {
  scenario(`a ${as} sees no users`, "GET /api/users", { as, status: 403, code: "forbidden" });
  scenario(`a ${as} makes no users`, "POST /api/users", {
    as,
    body: BOB,
    status: 403,
    code: "forbidden",
    events: { "*": 0 },
  });
  scenario(`a ${as} cannot even raise itself`, `PATCH /api/users/usr_${as}`, {
    as,
    body: { role: "admin" },
    status: 403,
    code: "forbidden",
  });
}

test("the list shows everybody in the order they came, without anything of their password", async () => {
  await node.clock.advance(1_000);
  await node.call("POST /api/users", { as: "admin", body: BOB });
  const { status, body } = await node.call("GET /api/users", { as: "admin" });
  expect(status).toBe(200);
  expect(body.map(({ username }: { username: string }) => username)).toEqual(["admin", "member", "viewer", "bob"]);
  expect(body.at(-1)).toEqual({
    id: expect.stringMatching(/^usr_/),
    username: "bob",
    role: "member",
    created_at: "2026-01-01T00:00:01.000Z",
    avatar_url: null,
    disabled: false,
  });
});

test("a new user can sign in and does what the role allows", async () => {
  await checkScenario(node, "POST /api/users", {
    as: "admin",
    body: BOB,
    status: 200,
    has: { username: "bob", role: "member" },
  });
  const { body } = await node.call("POST /api/auth/login", { body: { username: "bob", password: BOB.password } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await node.call("GET /api/auth/me", { headers })).status).toBe(200);
  expect((await node.call("GET /api/users", { headers })).status).toBe(403);
});

test.each(["bob", "BOB", "Bob"])("the name %s is taken once bob is there", async (username) => {
  await node.call("POST /api/users", { as: "admin", body: BOB });
  const body = { ...BOB, username };
  await checkScenario(node, "POST /api/users", {
    as: "admin",
    body,
    status: 409,
    code: "username_taken",
    has: { params: { username } },
  });
});

test("of twenty calls for one name at the same moment one wins", async () => {
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}` };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => node.call("POST /api/users", { headers, body: BOB })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
});

test.each<[string, unknown, string, string]>([
  ["POST /api/users", { ...BOB, role: "owner" }, "invalid_request", "role"],
  ["POST /api/users", { ...BOB, username: "b ob" }, "invalid_request", "username"],
  ["POST /api/users", { ...BOB, disabled: true }, "invalid_request", "disabled"],
  ["POST /api/users", { ...BOB, password: "1234" }, "password_unusable", "password"],
  ["PATCH /api/users/usr_viewer", { role: "owner" }, "invalid_request", "role"],
  ["PATCH /api/users/usr_viewer", { disabled: "yes" }, "invalid_request", "disabled"],
  ["PATCH /api/users/usr_viewer", { password: "some fine phrase" }, "invalid_request", "password"],
  ["PATCH /api/users/usr_viewer", { role: "admin", id: "usr_admin" }, "invalid_request", "id"],
  ["PATCH /api/users/usr_viewer", [], "invalid_request", "body"],
])("%s with bad input %# is 400 and changes nothing", async (route, body, code, field) => {
  const token = await node.tokenOf("admin");
  const before = dumpDatabase(node);
  await checkScenario(node, route, {
    headers: { authorization: `Bearer ${token}` },
    body,
    status: 400,
    code,
    field,
    events: { "*": 0 },
  });
  expect(dumpDatabase(node)).toEqual(before);
});

test("a changed role counts for the next request of tokens that are out", async () => {
  const headers = { authorization: `Bearer ${await node.tokenOf("viewer")}` };
  expect((await node.call("GET /api/users", { headers })).status).toBe(403);
  await checkScenario(node, "PATCH /api/users/usr_viewer", {
    as: "admin",
    body: { role: "admin" },
    status: 200,
    has: { role: "admin", disabled: false },
  });
  expect((await node.call("GET /api/users", { headers })).status).toBe(200);
});

test("a disabled user is out at once, on every session, and may come back later", async () => {
  const headers = { authorization: `Bearer ${await node.tokenOf("viewer")}` };
  await checkScenario(node, "PATCH /api/users/usr_viewer", {
    as: "admin",
    body: { disabled: true },
    status: 200,
    has: { disabled: true },
  });
  await checkScenario(node, "GET /api/auth/me", { headers, status: 401, code: "unauthorized" });
  const open = node.ctx.db.raw
    .query("SELECT id FROM sessions WHERE user_id = 'usr_viewer' AND revoked_at IS NULL")
    .all();
  expect(open).toEqual([]);
  await checkScenario(node, "PATCH /api/users/usr_viewer", {
    as: "admin",
    body: { disabled: false },
    status: 200,
    has: { disabled: false },
  });
  // What was signed in before stays out; signing in anew works.
  expect((await node.call("GET /api/auth/me", { headers })).status).toBe(401);
  expect((await node.call("GET /api/auth/me", { as: "viewer" })).status).toBe(200);
});

test("the event stream of a disabled user ends within fifteen seconds", async () => {
  const read = spyOn(node.ctx.events.hub, "read");
  const stream = node.call("GET /api/events/stream", { as: "viewer" });
  while (read.mock.calls.length === 0) await Bun.sleep(0);
  await node.clock.advance(15_000);
  await node.call("PATCH /api/users/usr_viewer", { as: "admin", body: { disabled: true } });
  await node.clock.advance(15_000);
  expect((await stream).body).toContain("event: hello");
});

test.each([{ role: "viewer" }, { role: "member" }, { disabled: true }])(
  "the last active admin cannot go: %j",
  async (body) => {
    const token = await node.tokenOf("admin");
    const before = dumpDatabase(node);
    const headers = { authorization: `Bearer ${token}` };
    await checkScenario(node, "PATCH /api/users/usr_admin", { headers, body, status: 409, code: "last_admin" });
    expect(dumpDatabase(node)).toEqual(before);
  },
);

test("a disabled admin does not count as one; with a second one the first may go", async () => {
  await node.call("PATCH /api/users/usr_member", { as: "admin", body: { role: "admin", disabled: true } });
  await checkScenario(node, "PATCH /api/users/usr_admin", {
    as: "admin",
    body: { disabled: true },
    status: 409,
    code: "last_admin",
  });
  await node.call("PATCH /api/users/usr_member", { as: "admin", body: { disabled: false } });
  await checkScenario(node, "PATCH /api/users/usr_admin", { as: "admin", body: { disabled: true }, status: 200 });
});

test("an unknown user is 404, an empty change changes nothing", async () => {
  await checkScenario(node, "PATCH /api/users/usr_none", {
    as: "admin",
    body: { role: "admin" },
    status: 404,
    code: "user_not_found",
  });
  await checkScenario(node, "PATCH /api/users/usr_viewer", {
    as: "admin",
    body: {},
    status: 200,
    has: { role: "viewer", disabled: false },
  });
});

test("an account is renamed, signs in by its new name only, and keeps its sessions", async () => {
  const { body: bob } = await node.call("POST /api/users", { as: "admin", body: BOB });
  const login = (username: string) => node.call("POST /api/auth/login", { body: { username, password: BOB.password } });
  const headers = { authorization: `Bearer ${(await login("bob")).body.access_token}` };
  const rename = (username: string) => node.call(`PATCH /api/users/${bob.id}`, { as: "admin", body: { username } });
  expect((await rename("robert")).body).toMatchObject({ id: bob.id, username: "robert", role: "member" });
  expect((await node.call("GET /api/auth/me", { headers })).body.username).toBe("robert");
  expect([(await login("bob")).status, (await login("Robert")).status]).toEqual([401, 200]);
  // Its own name in other letters is no other account's.
  expect((await rename("ROBERT")).status).toBe(200);
  expect((await rename("Admin")).body).toMatchObject({ code: "username_taken", params: { username: "Admin" } });
  expect(node.events.filter(({ name }) => name === "user.renamed").map(({ data }) => data)).toMatchObject([
    { from: "bob", to: "robert" },
    { from: "robert", to: "ROBERT" },
  ]);
});

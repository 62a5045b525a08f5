import { afterEach, beforeEach, expect, test } from "bun:test";
import { addAccount, bearer, from, logIn, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
let userId: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  userId = (await addAccount(node, "ada", "admin")).id;
  token = (await logIn(node, "ada")).body.access_token;
});
afterEach(() => node.close());

const call = (route: string, body?: unknown, as = token) => node.call(route, { headers: bearer(as), body });
const begin = async () => (await call("POST /api/paired-devices/pairings")).body;
const pair = (code: unknown, name: unknown = "Phone", ip = "10.0.0.1") =>
  node.call("POST /api/paired-devices/pair", { body: { code, name }, headers: from(ip) });

test("a code gives one device a token that acts as its owner", async () => {
  const { code, expires_at } = await begin();
  expect(Date.parse(expires_at) - node.clock.now()).toBe(600_000);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => pair(code, "Phone", `10.1.0.${i}`)));
  const paired = answers.filter(({ status }) => status === 200);
  expect(paired).toHaveLength(1);
  const device = paired[0]?.body;
  expect(device).toMatchObject({ name: "Phone", user: { id: userId } });
  expect(device.token).toStartWith("dev_");
  expect((await call("GET /api/auth/me", undefined, device.token)).body.username).toBe("ada");
  expect((await call("GET /api/users", undefined, device.token)).status).toBe(200);
  expect((await call("GET /api/paired-devices")).body).toEqual([
    { id: device.id, name: "Phone", created_at: expect.any(String), last_used_at: expect.any(String) },
  ]);
  expect(JSON.stringify(node.ctx.db.raw.query("SELECT * FROM paired_devices").all())).not.toContain(device.token);

  await node.call(`PATCH /api/users/${userId}`, { as: "admin", body: { role: "viewer" } });
  expect((await call("GET /api/users", undefined, device.token)).status).toBe(403);
  expect((await call(`DELETE /api/paired-devices/${device.id}`)).status).toBe(200);
  expect((await call("GET /api/auth/me", undefined, device.token)).status).toBe(401);
  expect((await call(`DELETE /api/paired-devices/${device.id}`)).status).toBe(404);
});

test("a code may be typed with spaces and in small letters, within ten minutes", async () => {
  const { code } = await begin();
  expect((await pair(` ${code.slice(0, 5).toLowerCase()}-${code.slice(5)} `)).status).toBe(200);
  const late = (await begin()).code;
  await node.clock.advance(600_000);
  expect((await pair(late)).body.code).toBe("pairing_code_wrong");
});

test("guessing meets the limit of wrong passwords", async () => {
  for (let i = 0; i < 5; i++) expect((await pair("WRONG")).status).toBe(401);
  const { code } = await begin();
  expect((await pair(code)).status).toBe(429);
  expect((await pair(code, "Phone", "10.0.0.2")).status).toBe(200);
});

test("a disabled owner pairs nothing", async () => {
  const { code } = await begin();
  node.ctx.db.raw.query("UPDATE users SET disabled_at = '2026-01-01' WHERE id = ?").run(userId);
  expect((await pair(code)).status).toBe(401);
});

test("other users' devices are out of reach", async () => {
  const { id } = (await pair((await begin()).code)).body;
  expect((await node.call("GET /api/paired-devices", { as: "member" })).body).toEqual([]);
  expect((await node.call(`DELETE /api/paired-devices/${id}`, { as: "admin" })).status).toBe(404);
});

test.each([
  [undefined, "x", "code"],
  ["", "x", "code"],
  ["A", "", "name"],
  ["A", "x".repeat(65), "name"],
])("%p named %p is malformed", async (code, name, field) => {
  const answer = await pair(code, name);
  expect([answer.status, answer.body.params.field]).toEqual([400, field]);
});

test("a code ends with the session that showed it", async () => {
  const { code } = await begin();
  const other = (await logIn(node, "ada")).body.access_token;
  await call("DELETE /api/auth/sessions", undefined, other);
  const answer = await pair(code);
  expect([answer.status, answer.body.code]).toEqual([401, "pairing_code_wrong"]);
  expect((await call("GET /api/paired-devices", undefined, other)).body).toEqual([]);
});

test("nobody crowds out the codes of others, or pairs without end", async () => {
  await addAccount(node, "eve", "viewer");
  const eve = (await logIn(node, "eve")).body.access_token;
  const { code } = await begin();
  const answers = [];
  for (let count = 0; count < 1_100; count++)
    answers.push(await call("POST /api/paired-devices/pairings", undefined, eve));
  expect(answers.at(-1)?.status).toBe(429);
  expect((await pair(code)).status).toBe(200);

  const row =
    "INSERT INTO paired_devices (id, user_id, name, token_hash, created_at) VALUES (?, ?, 'x', ?, '2026-01-01')";
  for (let count = 0; count < 99; count++) node.ctx.db.raw.query(row).run(`dvc_${count}`, userId, `hash ${count}`);
  const full = await pair((await begin()).code);
  expect([full.status, full.body.code]).toEqual([409, "paired_device_limit"]);
  expect((await call("GET /api/paired-devices")).body).toHaveLength(100);
});

test("a device token that a browser sends along by itself is asked where the request comes from", async () => {
  const device = (await pair((await begin()).code)).body;
  const headers = { cookie: `access_token=${device.token}`, origin: "http://evil.example" };
  expect((await node.call("DELETE /api/auth/sessions", { headers })).body.code).toBe("csrf_refused");
});

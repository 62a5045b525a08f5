import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { slowDown } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, scenarios } from "../../../../tests/kit/scenario.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import * as hashing from "../../../shared/password/hashing.ts";
import { FOR_PROGRAM, forAccount, forKnown, forVisitor } from "../../../shared/password/index.ts";
import { setUpOwner, signIn } from "./logic.ts";

const OWNER = { username: "ada", password: "correct horse battery" };
const WRONG = { username: "ada", password: "wrong horse battery" };

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "100000", trusted_proxies: "127.0.0.1" });
  await setUpOwner(node.ctx, OWNER, "127.0.0.1");
});
afterEach(() => node.close());
const scenario = scenarios(() => node, { owner: OWNER });

const from = (ip: string) => ({ "x-forwarded-for": ip });
const login = (body: object, ip = "198.51.100.1") => node.call("POST /api/auth/login", { body, headers: from(ip) });

scenario("the right password signs in", "POST /api/auth/login", {
  body: OWNER,
  status: 200,
  has: { token_type: "bearer", user: { username: "ada", role: "admin", avatar_url: null } },
  events: { "auth.signed_in": 1, "*": 1 },
});

scenario("the user name's case does not matter", "POST /api/auth/login", {
  body: { ...OWNER, username: "ADA" },
  status: 200,
});

scenario("the password's case does", "POST /api/auth/login", {
  body: { ...OWNER, password: OWNER.password.toUpperCase() },
  status: 401,
  code: "wrong_credentials",
});

scenario("a wrong password is told to the node", "POST /api/auth/login", {
  body: WRONG,
  status: 401,
  code: "wrong_credentials",
  events: { "auth.sign_in_failed": 1, "*": 1 },
});

test("an unknown name, a wrong password and a disabled account answer the same bytes", async () => {
  const bob = await node.ctx.users.create({
    username: "bob",
    password: "some fine phrase",
    role: "member",
    whose: FOR_PROGRAM,
  });
  await node.call(`PATCH /api/users/${bob.id}`, { as: "admin", body: { disabled: true } });
  const answers = [
    await login(WRONG, "198.51.100.1"),
    await login({ ...WRONG, username: "nobody" }, "198.51.100.2"),
    await login({ username: "bob", password: "some fine phrase" }, "198.51.100.3"),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 3 }, () => [answers[0]?.status, answers[0]?.body]),
  );
});

test("unknown and known names cost the same work: one full comparison with the same parameters", async () => {
  await signIn(node.ctx, OWNER, { ip: "203.0.113.1", device: "x" }, new AbortController().signal);
  const compute = spyOn(hashing, "computeHash");
  const costs: string[] = [];
  for (const username of ["ada", "nobody"]) {
    compute.mockClear();
    await login({ username, password: WRONG.password }, "203.0.113.2");
    expect(compute).toHaveBeenCalledTimes(1);
    costs.push(String(compute.mock.calls[0]?.[0].hash).split("$").slice(1, 4).join());
  }
  compute.mockRestore();
  expect(costs[0]).toStartWith("argon2id");
  expect(costs[1]).toBe(costs[0] ?? "");
});

test("a hash is waited for among strangers, or where somebody signed in before, whoever is named; where too many wait no try is used up", async () => {
  const signedIn = await login(OWNER, "203.0.113.9");
  const compute = spyOn(hashing, "computeHash");
  for (const username of ["ada", "nobody"])
    for (const ip of ["203.0.113.9", "203.0.113.10"]) await login({ ...WRONG, username }, ip);
  const headers = { ...from("203.0.113.10"), authorization: `Bearer ${signedIn.body.access_token}` };
  await node.call("POST /api/auth/unlock", { headers, body: { password: WRONG.password } });
  const [home, away] = [forKnown(null, "203.0.113.9").path, forVisitor("203.0.113.10").path];
  const own = forAccount(signedIn.body.user.id, "203.0.113.10").path;
  expect(compute.mock.calls.map(([, asker]) => asker.path)).toEqual([home, away, home, away, own]);
  for (const [, { left }] of compute.mock.calls) expect(left).toBeInstanceOf(AbortSignal);
  compute.mockImplementation(async () => {
    throw tooManyRequests(1);
  });
  for (let count = 0; count < 8; count++)
    expect((await login(OWNER, "203.0.113.11")).headers.get("retry-after")).toBe("1");
  compute.mockRestore();
  expect((await login(OWNER, "203.0.113.11")).status).toBe(200);
});

test("an account without a password of its own cannot be signed in to, and does not show", async () => {
  await node.tokenOf("viewer");
  const known = await login({ username: "viewer", password: "whatever it is" }, "203.0.113.3");
  const unknown = await login({ username: "nobody", password: "whatever it is" }, "203.0.113.3");
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
});

test("five wrong passwords close the address, also for the right one, and say for how long", async () => {
  for (let turn = 0; turn < 5; turn++) {
    expect((await login(WRONG)).status).toBe(401);
    await node.clock.advance(60_000);
  }
  const refused = await login(OWNER);
  expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "too_many_requests",
    "600",
  ]);
  expect(refused.body.params).toEqual({ retry_after_s: 600 });
  expect((await login(OWNER, "198.51.100.2")).status).toBe(200);
  await node.clock.advance(600_000);
  expect((await login(OWNER)).status).toBe(200);
});

test("right passwords are free, and do not forgive wrong ones", async () => {
  for (let turn = 0; turn < 10; turn++) expect((await login(OWNER)).status).toBe(200);
  for (let turn = 0; turn < 4; turn++) expect((await login(WRONG)).status).toBe(401);
  for (let turn = 0; turn < 3; turn++) expect((await login(OWNER)).status).toBe(200);
  expect((await login(WRONG)).status).toBe(401);
  expect((await login(OWNER)).status).toBe(429);
});

test("an attacker cannot change the address by writing headers, nor by wandering within an IPv6 network", async () => {
  for (let turn = 0; turn < 5; turn++) await login(WRONG, `6.6.6.${turn}, 198.51.100.7`);
  expect((await login(WRONG, "6.6.6.9, 198.51.100.7")).status).toBe(429);
  for (let turn = 0; turn < 5; turn++) await login(WRONG, `2001:db8:1:2::${turn}`);
  expect((await login(WRONG, "2001:db8:1:2:ffff::9")).status).toBe(429);
  expect((await login(WRONG, "2001:db8:1:3::9")).status).toBe(401);
});

test("change-password shares the limit with login", async () => {
  const token = (await login(OWNER)).body.access_token;
  const headers = { ...from("198.51.100.1"), authorization: `Bearer ${token}` };
  const body = { current_password: "wrong", new_password: "another fine phrase" };
  for (let turn = 0; turn < 3; turn++) {
    await checkScenario(node, "POST /api/auth/change-password", {
      headers,
      body,
      status: 401,
      code: "wrong_credentials",
    });
  }
  await login(WRONG);
  await login(WRONG);
  await checkScenario(node, "POST /api/auth/change-password", {
    headers,
    body,
    status: 429,
    code: "too_many_requests",
  });
  expect((await login(OWNER)).status).toBe(429);
});

test("fifty wrong passwords at the same moment reach the comparison five times", async () => {
  const compute = spyOn(hashing, "computeHash");
  const answers = await Promise.all(Array.from({ length: 50 }, () => login(WRONG)));
  // Others may have passwords compared meanwhile, for tests that are over.
  const compared = compute.mock.calls.filter(([{ password }]) => password === WRONG.password).length;
  compute.mockRestore();
  expect(compared).toBe(5);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
});

test.each([
  [{ username: "ada" }, "password"],
  [{ password: "x" }, "username"],
  [{ username: 1, password: "x" }, "username"],
  [{ username: "a".repeat(257), password: "x" }, "username"],
  [{ username: "ada", password: "x".repeat(1_025) }, "password"],
  [{ ...OWNER, remember: true }, "remember"],
  ["{", "body"],
])("bad input %# is 400 with its field, costs no attempt and tells nobody", async (body, field) => {
  for (let turn = 0; turn < 6; turn++) {
    await checkScenario(node, "POST /api/auth/login", {
      body,
      status: 400,
      code: "invalid_request",
      field,
      events: { "*": 0 },
    });
  }
});

test("a sign-in that is under way while the account is disabled or its password changed does not succeed", async () => {
  const bob = await node.ctx.users.create({
    username: "bob",
    password: "some fine phrase",
    role: "member",
    whose: FOR_PROGRAM,
  });
  const admin = await node.tokenOf("admin");
  await slowDown(node, "bob", "some fine phrase");
  const disabling = [
    login({ username: "bob", password: "some fine phrase" }),
    node.call(`PATCH /api/users/${bob.id}`, {
      headers: { authorization: `Bearer ${admin}` },
      body: { disabled: true },
    }),
  ];
  expect((await Promise.all(disabling)).map(({ status }) => status)).toEqual([401, 200]);
  const left = node.ctx.db.raw.query("SELECT id FROM sessions WHERE user_id = ? AND revoked_at IS NULL").all(bob.id);
  expect(left).toEqual([]);
});

test("the session remembers where it came from", async () => {
  const headers = { ...from("198.51.100.9"), "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  const { body } = await node.call("POST /api/auth/login", { body: OWNER, headers });
  const sessions = await node.call("GET /api/auth/sessions", {
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect(sessions.body).toEqual([
    expect.objectContaining({ device: "Firefox on Linux", ip: "198.51.100.9", current: true }),
  ]);
});

test("an answer does not grow with the name of a field that nobody knows", async () => {
  const answer = await node.call("POST /api/auth/login", {
    body: { username: "ada", password: "x", ["x".repeat(1_000_000)]: 1 },
  });
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
  expect(answer.body.params.field).toBe("x".repeat(199));
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario } from "../../../../tests/kit/scenario.ts";

const DAY = 86_400_000;

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "100000" });
  await node.tokenOf("viewer");
});
afterEach(() => node.close());

const start = () => node.ctx.sessions.begin("usr_viewer", { ip: "127.0.0.1", device: "x" });
const refresh = (refresh_token: string) => node.call("POST /api/auth/refresh", { body: { refresh_token } });
const refused = { status: 401, code: "refresh_refused" };

async function next(token: string): Promise<string> {
  const { status, body } = await refresh(token);
  expect(status).toBe(200);
  return body.refresh_token;
}

test("a refresh gives a new pair, in the body and in cookies", async () => {
  const { refresh_token, session_id } = start();
  const { status, body, headers } = await refresh(refresh_token);
  expect([status, Object.keys(body).toSorted()]).toEqual([200, ["access_token", "refresh_token", "token_type"]]);
  expect(body.token_type).toBe("bearer");
  expect(body.refresh_token).not.toBe(refresh_token);
  expect(headers.getSetCookie()).toEqual([
    expect.stringContaining(`access_token=${body.access_token}; Path=/;`),
    expect.stringContaining(`refresh_token=${body.refresh_token}; Path=/api/auth;`),
    expect.stringContaining(`signed_in=${session_id}; Path=/;`),
  ]);
  expect(await node.ctx.sessions.tokens.verify(body.access_token)).toMatchObject({ user_id: "usr_viewer", session_id });
});

test("a token is never stored as it is", async () => {
  const { refresh_token } = start();
  const following = await next(refresh_token);
  const stored = JSON.stringify(node.ctx.db.raw.query("SELECT * FROM refresh_tokens").all());
  expect(stored).not.toContain(refresh_token);
  expect(stored).not.toContain(following);
});

test("using a traded token again after ten seconds ends the session for everybody", async () => {
  const { refresh_token } = start();
  const second = await next(refresh_token);
  await node.clock.advance(10_001);
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token }, ...refused });
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: second }, ...refused });
});

test("a client that lost the answer may ask again for ten seconds, and gets the same token", async () => {
  const { refresh_token } = start();
  const second = await next(refresh_token);
  await node.clock.advance(10_000);
  expect(await next(refresh_token)).toBe(second);
  await node.clock.advance(DAY);
  await next(second);
});

test("two tabs that refresh at once share one chain, and asking again leads to its end", async () => {
  const { refresh_token } = start();
  const [left, right] = await Promise.all([next(refresh_token), next(refresh_token)]);
  expect(left).toBe(right);
  const third = await next(left);
  expect(await next(refresh_token)).toBe(third);
  expect(await next(left)).toBe(third);
  const live = node.ctx.db.raw.query(
    "SELECT count(*) AS count FROM refresh_tokens WHERE rotated_at IS NULL AND session_id = (SELECT max(session_id) FROM refresh_tokens)",
  );
  expect(live.get()).toEqual({ count: 1 });
});

test("a thief who got the token in time is found out when both go on", async () => {
  const { refresh_token } = start();
  const shared = await next(refresh_token);
  expect(await next(refresh_token)).toBe(shared);
  await node.clock.advance(60_000);
  const owner = await next(shared);
  await node.clock.advance(60_000);
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: shared }, ...refused });
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: owner }, ...refused });
});

test("setting the clock back does not stretch the grace", async () => {
  const { refresh_token } = start();
  await next(refresh_token);
  node.clock.jump(-3_600_000);
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token }, ...refused });
});

test("a session lasts thirty days after its last use", async () => {
  const { refresh_token } = start();
  await node.clock.advance(30 * DAY - 1);
  const second = await next(refresh_token);
  await node.clock.advance(30 * DAY);
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: second }, ...refused });
});

test("the session of a disabled user ends, and does not come back with the user", async () => {
  const { refresh_token } = start();
  await node.call("PATCH /api/users/usr_viewer", { as: "admin", body: { disabled: true } });
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token }, ...refused });
  await node.call("PATCH /api/users/usr_viewer", { as: "admin", body: { disabled: false } });
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token }, ...refused });
});

test("a locked session stays locked over a refresh", async () => {
  const { refresh_token, session_id } = start();
  node.ctx.db.raw.query("UPDATE sessions SET locked_at = 1 WHERE id = ?").run(session_id);
  const { body } = await refresh(refresh_token);
  const headers = { authorization: `Bearer ${body.access_token}` };
  await checkScenario(node, "GET /api/auth/sessions", {
    headers,
    status: 423,
    code: "locked",
    has: { error: "locked" },
  });
  await checkScenario(node, "GET /api/auth/me", { headers, status: 200, has: { locked: true } });
});

test.each([
  ["nothing", {}, 401, "refresh_missing"],
  ["an empty object", { body: {} }, 401, "refresh_missing"],
  ["an empty token", { body: { refresh_token: "" } }, 401, "refresh_missing"],
  ["an unknown token", { body: { refresh_token: "nonsense" } }, 401, "refresh_refused"],
  ["a number", { body: { refresh_token: 5 } }, 400, "invalid_request"],
  ["an endless token", { body: { refresh_token: "x".repeat(513) } }, 400, "invalid_request"],
  ["an unknown field", { body: { token: "x" } }, 400, "invalid_request"],
  ["malformed JSON", { body: "{" }, 400, "invalid_request"],
])("%s is refused", async (_what, given, status, code) => {
  const answer = await checkScenario(node, "POST /api/auth/refresh", { ...given, status, code, events: { "*": 0 } });
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test("old tokens and ended sessions are forgotten, live ones are not", async () => {
  const count = (table: string) =>
    Object.values(node.ctx.db.raw.query(`SELECT count(*) AS n FROM ${table}`).get() ?? {})[0];
  node.ctx.db.raw.query("DELETE FROM sessions").run();
  const { refresh_token, session_id } = start();
  let token = refresh_token;
  for (let turn = 0; turn < 40; turn++) {
    await node.clock.advance(DAY);
    token = await next(token);
  }
  await node.ctx.jobs.run("sessions.forget");
  // One live token and those that were traded in the last thirty days.
  expect([count("sessions"), count("refresh_tokens")]).toEqual([1, 32]);
  token = await next(token);
  node.ctx.db.raw.query("UPDATE sessions SET revoked_at = ? WHERE id = ?").run(node.clock.now(), session_id);
  await node.clock.advance(7 * DAY + 1);
  await node.ctx.jobs.run("sessions.forget");
  expect([count("sessions"), count("refresh_tokens")]).toEqual([0, 0]);
});

test("whoever trades tokens or signs in without end leaves no more than the newest behind", async () => {
  const { db, jobs } = node.ctx;
  const { session_id, refresh_token } = start();
  const fill = (sql: string) => db.raw.query(sql).run(session_id);
  fill(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3002)
    INSERT INTO refresh_tokens (hash, session_id, created_at, rotated_at) SELECT 'traded' || i, ?, i, ${node.clock.now()} FROM n`);
  fill(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1003)
    INSERT INTO sessions (id, user_id, device, ip, created_at, last_used_at, expires_at, revoked_at)
    SELECT 'ended' || i, user_id, 'x', '', 1, 1, expires_at, ${node.clock.now()} + i FROM n, sessions WHERE id = ?`);
  await jobs.run("sessions.forget");
  const first = (sql: string) => db.raw.query<{ n: number; least: string }, []>(sql).get();
  expect(
    first("SELECT count(*) AS n, min(created_at) AS least FROM refresh_tokens WHERE hash LIKE 'traded%'"),
  ).toMatchObject({ n: 3_000, least: 3 });
  expect(first("SELECT count(*) AS n, min(revoked_at) AS least FROM sessions WHERE id LIKE 'ended%'")).toMatchObject({
    n: 1_000,
    least: node.clock.now() + 4,
  });
  expect((await refresh(refresh_token)).status).toBe(200);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario } from "../../../../tests/kit/scenario.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "100000" });
  await node.tokenOf("viewer");
});
afterEach(() => node.close());

interface Held {
  id: string;
  access: string;
  refresh: string;
}

async function signInAs(userId = "usr_viewer"): Promise<Held> {
  const { session_id, refresh_token } = node.ctx.sessions.begin(userId, { ip: "127.0.0.1", device: "x" });
  return { id: session_id, refresh: refresh_token, access: node.ctx.sessions.tokens.sign(userId, session_id) };
}

const isActive = ({ id }: Held) =>
  node.ctx.db.raw.query("SELECT id FROM sessions WHERE id = ? AND revoked_at IS NULL").get(id) !== null;
const canRefresh = async ({ refresh }: Held) =>
  (await node.call("POST /api/auth/refresh", { body: { refresh_token: refresh } })).status;
const bearer = ({ access }: Held) => ({ authorization: `Bearer ${access}` });

test("an access token that has run out still ends its session", async () => {
  const held = await signInAs();
  await node.clock.advance(900_000);
  expect((await node.call("GET /api/auth/me", { headers: bearer(held) })).status).toBe(401);
  await checkScenario(node, "POST /api/auth/logout", {
    headers: bearer(held),
    status: 200,
    events: { "auth.signed_out": 1, "*": 1 },
  });
  expect([isActive(held), await canRefresh(held)]).toEqual([false, 401]);
});

test.each<[string, (held: Held) => { body?: unknown; headers?: Record<string, string> }]>([
  ["the refresh token in the body", ({ refresh }) => ({ body: { refresh_token: refresh } })],
  ["the refresh cookie", ({ refresh }) => ({ headers: { cookie: `refresh_token=${refresh}` } })],
  ["the access token", (held) => ({ headers: bearer(held) })],
  ["the access cookie", ({ access }) => ({ headers: { cookie: `access_token=${access}` } })],
  [
    "everything at once",
    (held) => ({
      body: { refresh_token: held.refresh },
      headers: { cookie: `access_token=${held.access}; refresh_token=${held.refresh}`, ...bearer(held) },
    }),
  ],
  [
    "the right cookie beside a body of nonsense",
    ({ refresh }) => ({ body: { refresh_token: "nonsense" }, headers: { cookie: `refresh_token=${refresh}` } }),
  ],
  [
    "the right access token beside a cookie of nonsense",
    (held) => ({ headers: { cookie: "refresh_token=nonsense", ...bearer(held) } }),
  ],
  [
    "the right access cookie beside a header of nonsense",
    ({ access }) => ({ headers: { cookie: `access_token=${access}`, authorization: "Bearer nonsense" } }),
  ],
])("%s ends the session, clears both cookies and is told once", async (_what, given) => {
  const held = await signInAs();
  const other = await signInAs();
  const row = { ...given(held), status: 200, has: { message: "Signed out." } };
  const answer = await checkScenario(node, "POST /api/auth/logout", {
    ...row,
    events: { "auth.signed_out": 1, "*": 1 },
  });
  expect(answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0])).toEqual([
    "access_token=",
    "refresh_token=",
    "signed_in=",
  ]);
  expect([isActive(held), isActive(other)]).toEqual([false, true]);
  expect(await canRefresh(held)).toBe(401);
  await checkScenario(node, "POST /api/auth/logout", { ...row, events: { "*": 0 } });
});

test("tokens of two sessions end both", async () => {
  const one = await signInAs();
  const two = await signInAs();
  await checkScenario(node, "POST /api/auth/logout", {
    body: { refresh_token: one.refresh },
    headers: bearer(two),
    status: 200,
    events: { "auth.signed_out": 2 },
  });
  expect([isActive(one), isActive(two)]).toEqual([false, false]);
});

test.each<[string, { body?: unknown; headers?: Record<string, string> }]>([
  ["nothing", {}],
  ["an empty object", { body: {} }],
  ["an empty body", { body: "" }],
  ["null", { body: "null" }],
  ["a token of nonsense", { body: { refresh_token: "nonsense" } }],
  ["an empty token", { body: { refresh_token: "" } }],
  ["a very long token", { body: { refresh_token: "x".repeat(900_000) } }],
  ["cookies of nonsense", { headers: { cookie: "refresh_token=%E0%A4%A; access_token=%; ;=" } }],
  ["a header of nonsense", { headers: { authorization: "Bearer ..." } }],
  ["another scheme", { headers: { authorization: "Basic YTpi" } }],
])("%s signs nobody out and answers 200 all the same", async (_what, given) => {
  const held = await signInAs();
  await checkScenario(node, "POST /api/auth/logout", { ...given, status: 200, events: { "*": 0 } });
  expect(isActive(held)).toBe(true);
});

test.each(["{", '{"token":"x"}', '{"refresh_token":5}', "[]", "x".repeat(2_000_000), "[".repeat(10_000)])(
  "a body that says nothing (%#) keeps nobody from signing out",
  async (body) => {
    const held = await signInAs();
    const answer = await node.call("POST /api/auth/logout", { body, headers: bearer(held) });
    expect([answer.status, isActive(held)]).toEqual([200, false]);
  },
);

test("neither does the body of a form", async () => {
  const held = await signInAs();
  const headers = { ...bearer(held), "content-type": "application/x-www-form-urlencoded" };
  const answer = await node.call("POST /api/auth/logout", { body: "a=b", headers });
  expect([answer.status, isActive(held)]).toEqual([200, false]);
});

test.each(["locked", "expired", "ended"])("a session that is %s signs out with 200", async (state) => {
  const held = await signInAs();
  const column = { locked: "locked_at = 1", expired: "expires_at = 1", ended: "revoked_at = 1, is_cut = 1" }[state];
  node.ctx.db.raw.query(`UPDATE sessions SET ${column} WHERE id = ?`).run(held.id);
  expect((await node.call("POST /api/auth/logout", { headers: bearer(held) })).status).toBe(200);
  expect(isActive(held)).toBe(false);
});

test("an access token lives on after the sign-out until it expires, its refresh token does not", async () => {
  const held = await signInAs();
  await node.call("POST /api/auth/logout", { body: { refresh_token: held.refresh } });
  await node.clock.advance(899_000);
  expect((await node.call("GET /api/auth/me", { headers: bearer(held) })).status).toBe(200);
  await node.clock.advance(1_000);
  expect((await node.call("GET /api/auth/me", { headers: bearer(held) })).status).toBe(401);
  expect(await canRefresh(held)).toBe(401);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { checkScenario, scenarios } from "../../../../tests/kit/scenario.ts";

let node: TestNode;
beforeEach(async () => {
  node = createTestNode({ anonymous_rate: "100000" });
  await node.tokenOf("viewer");
  await node.tokenOf("member");
  node.ctx.db.raw.query("DELETE FROM sessions").run();
});
afterEach(() => node.close());
const scenario = scenarios(() => node);

async function signInAs(userId: string, device = "x") {
  const issued = node.ctx.sessions.begin(userId, { ip: "192.0.2.1", device });
  const access = await node.ctx.sessions.tokens.sign(userId, issued.session_id);
  return { ...issued, headers: { authorization: `Bearer ${access}` } };
}

test("the list shows one's own active sessions, the latest used first", async () => {
  const old = await signInAs("usr_viewer", "old");
  await node.clock.advance(60_000);
  const here = await signInAs("usr_viewer", "here");
  await signInAs("usr_member", "foreign");
  await node.clock.advance(60_000);
  await node.call("POST /api/auth/refresh", { body: { refresh_token: old.refresh_token } });
  const { body } = await node.call("GET /api/auth/sessions", { headers: here.headers });
  expect(body).toEqual([
    {
      id: old.session_id,
      device: "old",
      ip: "127.0.0.1",
      created_at: "2026-01-01T00:00:00.000Z",
      last_used_at: "2026-01-01T00:02:00.000Z",
      current: false,
    },
    {
      id: here.session_id,
      device: "here",
      ip: "192.0.2.1",
      created_at: "2026-01-01T00:01:00.000Z",
      last_used_at: "2026-01-01T00:01:00.000Z",
      current: true,
    },
  ]);
});

test("revoking a session ends it and nothing else; a second time there is nothing to end", async () => {
  const here = await signInAs("usr_viewer");
  const other = await signInAs("usr_viewer");
  const route = `DELETE /api/auth/sessions/${other.session_id}`;
  await checkScenario(node, route, { headers: here.headers, status: 200 });
  await checkScenario(node, route, { headers: here.headers, status: 404, code: "session_not_found" });
  await checkScenario(node, "POST /api/auth/refresh", {
    body: { refresh_token: other.refresh_token },
    status: 401,
    code: "refresh_refused",
  });
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: here.refresh_token }, status: 200 });
});

test("a foreign session looks like one that does not exist, also to an admin", async () => {
  const member = await signInAs("usr_member");
  for (const role of ["viewer", "admin"] as const) {
    const foreign = await node.call(`DELETE /api/auth/sessions/${member.session_id}`, { as: role });
    const unknown = await node.call("DELETE /api/auth/sessions/ses_none", { as: role });
    expect([foreign.status, foreign.body.code]).toEqual([404, "session_not_found"]);
    expect([unknown.status, unknown.body.code]).toEqual([404, "session_not_found"]);
  }
  await checkScenario(node, "POST /api/auth/refresh", { body: { refresh_token: member.refresh_token }, status: 200 });
});

scenario("a stranger sees no sessions", "GET /api/auth/sessions", { status: 401, code: "unauthorized" });
scenario("a stranger ends no session", "DELETE /api/auth/sessions/ses_none", { status: 401, code: "unauthorized" });

test("sessions that expired or ended are not listed", async () => {
  await signInAs("usr_viewer", "expired");
  await node.clock.advance(30 * 86_400_000);
  const here = await signInAs("usr_viewer", "here");
  const { body } = await node.call("GET /api/auth/sessions", { headers: here.headers });
  expect(body.map(({ device }: { device: string }) => device)).toEqual(["here"]);
});

test("a script that signs in without end keeps a hundred sessions; those longest unused end first", async () => {
  const first = await signInAs("usr_viewer", "first");
  for (let turn = 0; turn < 99; turn++) {
    await node.clock.advance(1);
    await signInAs("usr_viewer", "script");
  }
  await node.clock.advance(1);
  await node.call("POST /api/auth/refresh", { body: { refresh_token: first.refresh_token } });
  await node.clock.advance(1);
  const last = await signInAs("usr_viewer", "last");
  const foreign = await signInAs("usr_member");
  await node.ctx.jobs.run("sessions.trim");
  const { body } = await node.call("GET /api/auth/sessions", { headers: last.headers });
  expect(body).toHaveLength(100);
  expect(body.slice(0, 2).map(({ device }: { device: string }) => device)).toEqual(["last", "first"]);
  expect((await node.call("GET /api/auth/sessions", { headers: foreign.headers })).body).toHaveLength(1);
});

import { expect, test } from "bun:test";
import { addAccount, bearer, logIn, MANY_ADDRESSES, PASSWORD } from "../kit/accounts.ts";
import { createTestNode, type TestNode } from "../kit/node-app.ts";

/** Names of the events that are emitted outside of a transaction while `run` goes on. */
async function loose(node: TestNode, run: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const stop = node.ctx.bus.onEmit((name) => void (node.ctx.db.raw.inTransaction || names.push(name)));
  await run();
  stop();
  return names;
}

test("what changes an account is on record in the transaction that changes it: a crash keeps both or neither", async () => {
  const node = createTestNode({ ...MANY_ADDRESSES, plan: "enterprise" });
  const seen: string[] = [];
  node.ctx.bus.onEmit((name) => void seen.push(name));
  const outside = await loose(node, async () => {
    await node.call("POST /api/auth/setup", { body: { username: "root", password: PASSWORD } });
    const { access_token, refresh_token } = (await logIn(node, "root")).body;
    const call = (route: string, body?: unknown) => node.call(route, { headers: bearer(access_token), body });
    await call("POST /api/users", { username: "ada", role: "viewer" });
    await call("POST /api/users/invites", { username: "bob", role: "viewer" });
    await call("PUT /api/settings", { "auth.webauthn_rp_id": "home.example" });
    await call("PUT /api/cost/settings", { cpu_core_hour: 0.01 });
    await call("POST /api/auth/change-password", { current_password: PASSWORD, new_password: "another long phrase" });
    const { session_id } = (await node.call("POST /api/auth/qr/generate")).body;
    await call("POST /api/auth/qr/approve", { session_id });
    const { request_id, code } = (await call("POST /api/auth/approve/request", { email: "root" })).body;
    await call(`POST /api/auth/approve/${request_id}/decide`, { approve: true, code });
    await node.call("POST /api/auth/logout", { body: { refresh_token } });
  });
  expect(seen).toEqual([
    "auth.owner_created",
    "auth.signed_in",
    "user.created",
    "user.created",
    "invite.created",
    "settings.changed",
    "settings.changed",
    "auth.password_changed",
    "qr.approved",
    "approval.decided",
    "auth.signed_out",
  ]);
  expect(outside).toEqual([]);
  node.close();
});

test("an account whose link could not be stored does not exist", async () => {
  const node = createTestNode(MANY_ADDRESSES);
  node.ctx.db.raw.run("CREATE TEMP TRIGGER full BEFORE INSERT ON invites BEGIN SELECT RAISE(ABORT, 'no room'); END");
  const { status } = await node.call("POST /api/users/invites", {
    as: "admin",
    body: { username: "bob", role: "viewer" },
  });
  expect(status).toBe(500);
  const users = (await node.call("GET /api/users", { as: "admin" })).body;
  expect(users.map(({ username }: { username: string }) => username)).toEqual(["admin"]);
  node.close();
});

test.each(["approval", "qr"])("a session that cannot be stored now is not lost: %s", async (way) => {
  const node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada");
  const { access_token } = (await logIn(node, "ada")).body;
  const call = (route: string, body?: unknown) => node.call(route, { headers: bearer(access_token), body });
  let fetch = () => call("GET /api/health");
  if (way === "approval") {
    const { request_id, code } = (await call("POST /api/auth/approve/request", { email: "ada" })).body;
    await call(`POST /api/auth/approve/${request_id}/decide`, { approve: true, code });
    fetch = () => node.call(`GET /api/auth/approve/${request_id}`);
  } else {
    const { session_id, secret } = (await node.call("POST /api/auth/qr/generate")).body;
    await call("POST /api/auth/qr/approve", { session_id });
    fetch = () => node.call("POST /api/auth/qr/exchange", { body: { session_id, secret } });
  }
  node.ctx.db.raw.run("CREATE TEMP TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'no room'); END");
  expect((await fetch()).status).toBe(500);
  node.ctx.db.raw.run("DROP TRIGGER full");
  expect((await fetch()).body.access_token).toBeString();
  expect((await fetch()).body.access_token).toBeUndefined();
  node.close();
});

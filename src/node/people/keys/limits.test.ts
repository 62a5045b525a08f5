import { afterEach, beforeEach, expect, test } from "bun:test";
import { addAccount, bearer, logIn, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

let node: TestNode;
let token: string;
let key: string;
beforeEach(async () => {
  node = createTestNode(MANY_ADDRESSES);
  await addAccount(node, "ada");
  token = (await logIn(node, "ada")).body.access_token;
  key = (await node.call("POST /api/keys", { headers: bearer(token), body: { name: "k" } })).body.key;
});
afterEach(() => node.close());

const byKey = (route: string, body?: unknown) => node.call(route, { headers: { "x-api-key": key }, body });

test.each([
  ["POST /api/paired-devices/pairings", undefined],
  ["POST /api/auth/passkeys/register/begin", undefined],
  ["POST /api/auth/totp/enable", undefined],
  ["POST /api/auth/totp/verify", { code: "123456" }],
  ["POST /api/auth/recovery-codes", {}],
])("a key that may do everything makes nobody a way in: %s", async (route, body) => {
  const { status, body: answer } = await byKey(route, body);
  expect([status, answer.code]).toEqual([403, "key_cannot_grant"]);
});

test("a key does not see which sign-ins wait: who knows their ids may fetch the session", async () => {
  await node.call("POST /api/auth/approve/request", { body: { email: "ada" } });
  await node.clock.advance(100);
  const mine = await node.call("GET /api/auth/approve/pending", { headers: bearer(token) });
  expect(mine.body.requests).toHaveLength(1);
  expect((await byKey("GET /api/auth/approve/pending")).body).toEqual({ requests: [] });
});

test("nor does it hear of them", async () => {
  const heard = byKey("GET /api/events/stream");
  await Bun.sleep(0);
  await node.call("POST /api/auth/approve/request", { body: { email: "ada" } });
  await node.clock.advance(100);
  await node.ctx.bus.idle();
  expect(node.events.map(({ name }) => name)).toContain("approval.requested");
  const { id } = (await node.call("GET /api/keys", { headers: bearer(token) })).body[0];
  await node.call(`DELETE /api/keys/${id}`, { headers: bearer(token) });
  await node.clock.advance(15_000);
  const { body } = await heard;
  expect(body).toContain("event: hello");
  expect(body).not.toContain("approval.requested");
});

test("a full disk keeps no key or device from reading", async () => {
  const { code } = (await node.call("POST /api/paired-devices/pairings", { headers: bearer(token) })).body;
  const device = (await node.call("POST /api/paired-devices/pair", { body: { code, name: "Phone" } })).body.token;
  for (const table of ["api_keys", "paired_devices"])
    node.ctx.db.raw.run(
      `CREATE TEMP TRIGGER full_${table} BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
  expect((await byKey("GET /api/auth/me")).status).toBe(200);
  expect((await node.call("GET /api/auth/me", { headers: bearer(device) })).status).toBe(200);
});

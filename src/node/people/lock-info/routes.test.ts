import { afterEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

const root = new URL("../../machine/fixtures/debian-vm", import.meta.url).pathname;
const nodes: TestNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

function testNode(): TestNode {
  const node = createTestNode({ host_root: root });
  nodes.push(node);
  return node;
}

test("anybody may read exactly these facts", async () => {
  const { status, body } = await testNode().call("GET /api/auth/lock-info");
  expect(status).toBe(200);
  expect(body).toEqual({
    hostname: "atlas",
    online: true,
    uptime_seconds: 3096,
    apps_in_orbit: 0,
    version: "1.2.3",
    setup_required: true,
    claim_required: false,
    // The tests' address is localhost, where browsers allow passkeys.
    passkeys_enabled: true,
    passkeys_reason: null,
    approve_enabled: false,
  });
});

test("setup shows at once, with and without a claim token", async () => {
  const node = testNode();
  const token = join(node.dataDir, "claim-token");
  expect((await node.call("GET /api/auth/lock-info")).body.claim_required).toBe(false);
  writeFileSync(token, "star-dust\n");
  expect((await node.call("GET /api/auth/lock-info")).body.claim_required).toBe(true);
  const owner = { username: "ada", password: "a long enough phrase", claim_token: "star-dust" };
  expect((await node.call("POST /api/auth/setup", { body: owner })).status).toBe(200);
  expect(existsSync(token)).toBe(false);
  const { body } = await node.call("GET /api/auth/lock-info");
  expect([body.setup_required, body.claim_required]).toEqual([false, false]);
});

test("after setup the answer is kept for 10 seconds, but for the name", async () => {
  const node = testNode();
  await node.tokenOf("admin");
  const read = async () => {
    const { hostname, approve_enabled } = (await node.call("GET /api/auth/lock-info")).body;
    return [hostname, approve_enabled];
  };
  expect(await read()).toEqual(["atlas", true]);
  node.ctx.settings.put({ "node.name": "vega", "auth.approve_on_device": "false" });
  await node.clock.advance(9_900);
  expect(await read()).toEqual(["vega", true]);
  await node.clock.advance(100);
  expect(await read()).toEqual(["vega", false]);
});

test("apps that run are counted, others are not", async () => {
  const node = testNode();
  const insert = node.ctx.db.raw.query(
    `INSERT INTO apps (id, name, template, version, status, created_at, config, manifest, compose)
     VALUES (?1, ?1, 'x', '1.0.0', ?2, '2026-01-01', '{}', '{}', '')`,
  );
  for (const [index, status] of ["running", "running", "stopped"].entries()) insert.run(`app_${index}`, status);
  expect((await node.call("GET /api/auth/lock-info")).body.apps_in_orbit).toBe(2);
});

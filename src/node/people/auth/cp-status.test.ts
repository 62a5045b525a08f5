import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

test("a node without a panel says so to anybody", async () => {
  const node = createTestNode();
  const { status, body } = await node.call("GET /api/auth/cp-status");
  expect([status, body]).toEqual([200, { connected: false, panel_url: null, sign_in_available: false }]);
  node.close();
});

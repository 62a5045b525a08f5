import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

test("the release seen last is kept for each user and can be forgotten", async () => {
  const node = createTestNode();
  const route = "/api/profile/last-seen-release";
  const read = async (as: "viewer" | "admin") => (await node.call(`GET ${route}`, { as })).body;
  expect(await read("viewer")).toEqual({ version: null });
  const saved = await node.call(`PUT ${route}`, { as: "viewer", body: { version: "1.4.0" } });
  expect([saved.status, saved.body]).toEqual([200, { version: "1.4.0" }]);
  expect([await read("viewer"), await read("admin")]).toEqual([{ version: "1.4.0" }, { version: null }]);
  await node.call(`PUT ${route}`, { as: "viewer", body: { version: null } });
  expect(await read("viewer")).toEqual({ version: null });
  for (const body of [{}, { version: 1 }, { version: "1".repeat(65) }, { version: "1", at: "now" }]) {
    expect((await node.call(`PUT ${route}`, { as: "viewer", body })).status).toBe(400);
  }
  node.close();
});

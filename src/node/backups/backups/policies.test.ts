import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { seedApp } from "../../../../tests/kit/seed-app.ts";

test("a snapshot is refused as the way an app is copied where none can be taken, with the reason that the list has, too", async () => {
  const node = createTestNode();
  await seedApp(node, "notes");
  const [policy] = (await node.call("GET /api/backup/policies", { as: "admin" })).body;
  expect(policy).toMatchObject({ app: "app_notes", mode: null, no_snapshot: "Docker does not answer now." });
  const choose = (mode: string) => node.call("PUT /api/backup/policies/app_notes", { as: "admin", body: { mode } });
  const { status, body } = await choose("snapshot");
  expect([status, body.code, body.params]).toEqual([409, "backup_snapshot_unfit", { reason: policy.no_snapshot }]);
  expect((await choose("pause")).body).toMatchObject({ mode: "pause" });
  expect((await choose("zfs")).status).toBe(400);
  node.close();
});

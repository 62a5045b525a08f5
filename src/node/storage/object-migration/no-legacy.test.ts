import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

test("a node without a previous store knows of none, and nobody may remove anything", async () => {
  const bare = createTestNode();
  bare.ctx.objectMigration.start?.();
  const answer = (await bare.call("GET /api/objects/migration", { as: "admin" })).body;
  expect(answer).toMatchObject({ migration: null, problem_count: 0, may: { retry: false, purge: false } });
  expect((await bare.call("GET /api/components", { as: "admin" })).body).not.toHaveProperty("objstore");
  const refused = await bare.call("POST /api/components/objstore/purge-minio", { as: "admin" });
  expect([refused.status, refused.body.code]).toEqual([409, "objstore_legacy_purge_unavailable"]);
  expect((await bare.call("POST /api/objects/migration/retry", { as: "admin", body: {} })).status).toBe(404);
  bare.close();
});

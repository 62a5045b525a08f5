import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

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

test("a purge that goes on leaves a folder alone that holds the node's own data", async () => {
  const disk = makeScratch("own-disk");
  writeFileSync(join(disk, "photo"), "of somebody else");
  const node = createTestNode({ data_dir: join(disk, "node"), minio_data: disk });
  node.ctx.db.raw.run("INSERT INTO object_migration (id, phase, started_at, purge) VALUES (1, 'done', 0, 'going')");
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
  expect(existsSync(join(disk, "photo"))).toBe(true);
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
});

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMinioData, writeMinioEnv } from "../../../../tests/kit/fake-minio.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { systemClock } from "../../../lib/clock.ts";

test("what the program of the previous store says before it ends at once is told without its password", async () => {
  const password = "a-long-secret-of-minio";
  const node = createTestNode({ s3_listen: "127.0.0.1:0" });
  createMinioData(join(node.dataDir, "minio", "data"));
  writeMinioEnv(node.dataDir, { user: "backup-admin", password }, 1);
  const program = '#!/bin/sh\necho "RootUser: $MINIO_ROOT_USER RootPass: $MINIO_ROOT_PASSWORD, no licence"\n';
  writeFileSync(join(node.dataDir, "minio", "minio"), program, { mode: 0o755 });
  // It is a real program, which takes real time.
  const real = createTestNode({ s3_listen: "127.0.0.1:0" }, { ...node, clock: systemClock } as never);
  real.ctx.objectMigration.start?.();
  await real.ctx.objectMigration.settled();
  const { body } = await real.call("GET /api/objects/migration", { as: "viewer" });
  expect(JSON.stringify(body)).toContain("no licence");
  expect(JSON.stringify(body)).not.toContain(password);
  for (const each of [real, node]) {
    await each.ctx.objects.stop();
    await each.ctx.objectStore.stop();
  }
  real.close();
});

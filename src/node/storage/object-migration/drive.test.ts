import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { uploadTo } from "../../../../tests/kit/drive-node.ts";
import {
  createMinioData,
  type MinioData,
  type MinioServer,
  serveMinio,
  writeMinioEnv,
} from "../../../../tests/kit/fake-minio.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { until } from "../../../../tests/kit/until.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { createState } from "./state.ts";

const KEY = { user: "backup-admin", password: "a-long-secret-of-minio" };
const DRIVE = "service-drive";
const BYTES = "a letter of old";
const SHA = sha256Hex(BYTES);

let node: TestNode;
let data: MinioData;
let minio: MinioServer;
let id: string;

/** A file of the Drive whose bytes are in the previous store alone. */
beforeEach(async () => {
  node = createTestNode({ s3_listen: "127.0.0.1:0" });
  id = (await uploadTo(node, "letter.txt", new TextEncoder().encode(BYTES))).id ?? "";
  const { objectStore } = node.ctx;
  const bucketId = objectStore.findBucket(DRIVE)?.id ?? "";
  await objectStore.change({ kind: "remove", bucketId, key: new TextEncoder().encode(SHA), when: {} });
  data = createMinioData(join(node.dataDir, "minio", "data"));
  data.makeBucket(DRIVE);
  data.put(DRIVE, SHA, BYTES);
  minio = await serveMinio(data.folder, KEY);
  writeMinioEnv(node.dataDir, KEY, minio.port);
});
afterEach(async () => {
  await minio.close();
  await node.ctx.objectMigration.stop?.();
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
});

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const block = async () => (await call("GET /api/components")).body.objstore;
const read = async () => {
  const { headers, status, body } = await call(`GET /api/drive/raw/${id}`);
  return status === 302
    ? (await call(`GET ${headers.get("location")}`)).body
    : [status, body.code, body.params?.error_code];
};

test("files of the Drive come along, beside those that it has got here", async () => {
  await uploadTo(node, "new.txt", new TextEncoder().encode("of today"));
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
  expect(await block()).toMatchObject({ phase: "done", copied: 1, total: 1 });
  expect(await read()).toBe(BYTES);
  expect(node.ctx.objectStore.findBucket(DRIVE)?.object_count).toBe(2);
});

test("a file that somebody opens meanwhile is brought at once", async () => {
  // Sorted before it, and not to be had before the file was read.
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  data.put(DRIVE, "0", "something else");
  minio.before = (method, path) => (method === "GET" && path === `${DRIVE}/0` ? isRead : undefined);
  node.ctx.objectMigration.start?.();
  await until(async () => (await block()).phase === "copying");
  expect(await read()).toBe(BYTES);
  resolve();
  await node.ctx.objectMigration.settled();
  expect((await block()).phase).toBe("done");
});

test("while the store with its files cannot be reached the Drive is off and says so, and comes back with it", async () => {
  await minio.close();
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
  expect(await block()).toMatchObject({
    phase: "failed",
    drive_paused: true,
    error_code: "objstore_legacy_unavailable",
    error_params: { missing: "binary" },
  });
  expect(await read()).toEqual([503, "drive_paused", "objstore_legacy_unavailable"]);
  for (const route of ["GET /api/drive/tree", "GET /api/drive/shares", "GET /api/shares/x"])
    expect([route, (await call(route)).body.code]).toEqual([route, "drive_paused"]);
  minio = await serveMinio(data.folder, { ...KEY, port: minio.port });
  await node.ctx.jobs.run("object-migration");
  await node.ctx.objectMigration.settled();
  expect(await block()).not.toHaveProperty("drive_paused");
  expect(await read()).toBe(BYTES);
});

test("given up while it holds files, the Drive is off until the next start, which goes on", async () => {
  minio.failing.set(`${DRIVE}/${SHA}`, 500);
  const { promise: isGivenUp, resolve } = Promise.withResolvers<void>();
  minio.before = (method, path) => (method === "GET" && path === `${DRIVE}/${SHA}` ? isGivenUp : undefined);
  node.ctx.objectMigration.start?.();
  await until(async () => (await block()).phase === "copying");
  const giving = call("POST /api/objects/migration/give-up");
  resolve();
  expect((await giving).body.migration).toMatchObject({
    phase: "failed",
    drive_paused: true,
    error_code: "objstore_drive_next_start",
  });
  expect(await read()).toEqual([503, "drive_paused", "objstore_drive_next_start"]);
  minio.failing.clear();
  minio.before = null;
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  const next = createTestNode({ s3_listen: "127.0.0.1:0" }, node);
  next.ctx.objectMigration.start?.();
  await next.ctx.objectMigration.settled();
  const shown = (await next.call("GET /api/objects/migration", { as: "admin" })).body.migration;
  expect(shown).toMatchObject({ phase: "done", copied: 1 });
  await next.ctx.objects.stop();
  await next.ctx.objectStore.stop();
});

test("bytes that are not those of their name never become a file", async () => {
  data.put(DRIVE, SHA, "other bytes of the same");
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
  const { migration, problems } = (await call("GET /api/objects/migration")).body;
  expect(migration).toMatchObject({ phase: "failed", error_code: "objstore_migration_objects_failed" });
  expect(problems).toEqual([{ bucket: DRIVE, object: SHA, reason: expect.stringContaining("not those of its name") }]);
});

test("a state of another program, and one that cannot be written, turn the Drive off", async () => {
  node.ctx.db.raw.run("INSERT INTO object_migration (id, phase, started_at) VALUES (1, 'mirroring', 1)");
  expect(await block()).toMatchObject({ drive_paused: true, error_code: "objstore_migration_state_unknown" });
  expect(await read()).toEqual([503, "drive_paused", "objstore_migration_state_unknown"]);
  node.ctx.objectMigration.start?.();
  await node.ctx.objectMigration.settled();
  const { db, log } = node.ctx;
  db.tx(() => db.raw.run("UPDATE object_migration SET phase = 'copying'"));
  const state = createState({ db, log: { ...log, error: () => {} } }, () => true);
  expect(state.pausedBy()).toBeNull();
  // Neither written nor read back: whether the change is on disk is for the next start to see.
  db.raw.run("ALTER TABLE object_migration RENAME TO broken");
  expect(() => state.move("catching_up")).toThrow();
  db.raw.run("ALTER TABLE broken RENAME TO object_migration");
  expect(state.pausedBy()?.code).toBe("objstore_migration_state_unknown_next_start");
  expect(state.present()).toMatchObject({
    drive_paused: true,
    error_code: "objstore_migration_state_unknown_next_start",
  });
});
